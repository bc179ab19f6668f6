// The public library from C++17: the header compiles there without warnings, handles fit a
// unique_ptr, positions a hash table, and exceptions pass where no library code is on the stack.
#include <malpan.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

static_assert(std::is_trivially_copyable<MalpanPosition>::value, "positions are values");
static_assert(MALPAN_VERSION_NUMBER >= 10000, "the version is a constant");

template <typename Object, void (*close)(Object **)>
struct Closer {
    void operator()(Object *object) const { close(&object); }
};
template <typename Object, void (*close)(Object **)>
using Handle = std::unique_ptr<Object, Closer<Object, close>>;
using Game = Handle<MalpanGame, malpan_close>;
using Solver = Handle<MalpanSolver, malpan_solver_close>;

struct Hash {
    std::size_t operator()(const MalpanPosition &position) const { return malpan_hash(&position); }
};
struct Equal {
    bool operator()(const MalpanPosition &a, const MalpanPosition &b) const {
        return malpan_equals(&a, &b) != 0;
    }
};

static void require(bool holds, const std::string &what) {
    if (!holds)
        throw std::runtime_error(what);
}

// All positions that can be reached, without those between a roll and the move.
static std::unordered_set<MalpanPosition, Hash, Equal> explore(const MalpanGame *game) {
    std::unordered_set<MalpanPosition, Hash, Equal> seen;
    std::vector<MalpanPosition> open(1);
    require(malpan_start(game, &open[0], nullptr) == MALPAN_OK, "start");
    while (!open.empty()) {
        MalpanPosition position = open.back();
        open.pop_back();
        if (!seen.insert(position).second)
            continue;
        std::vector<MalpanMove> steps(malpan_moves(game, &position, nullptr, 0));
        malpan_moves(game, &position, steps.data(), steps.size());
        MalpanChance chances[MALPAN_CHANCES_MAX];
        std::size_t count =
            malpan_chances(game, &position, chances, MALPAN_CHANCES_MAX, nullptr);
        for (std::size_t i = 0; i < count; i++)
            steps.push_back(chances[i].move);
        for (MalpanMove step : steps) {
            open.push_back(position);
            require(malpan_apply_listed(game, &open.back(), step) == MALPAN_OK, "apply");
        }
    }
    return seen;
}

int main() try {
    MalpanError error{};
    Game game(malpan_open("box", "--tiles 4 --players 1", nullptr, &error));
    require(game != nullptr, error.message);
    MalpanSolver *opened = nullptr;
    MalpanLimits limits{};
    limits.threads = 2;
    require(malpan_solver_open(game.get(), MALPAN_POLICY_EXACT, &limits, &opened, &error) == 0,
            error.message);
    Solver solver(opened);
    auto seen = explore(game.get());
    std::vector<MalpanPosition> positions(seen.begin(), seen.end());
    std::vector<double> values(positions.size());
    require(positions.size() > 50, "too few positions");
    require(malpan_values(solver.get(), positions.data(), positions.size(), values.data(), nullptr,
                          &error) == MALPAN_OK,
            error.message);
    for (std::size_t i = 0; i < positions.size(); i++) {
        MalpanValue value{};
        require(malpan_value(solver.get(), &positions[i], &value, &error) == MALPAN_OK,
                error.message);
        require(value.values[0] == values[i], "a batch differs");
    }
    std::printf("%zu positions\n1 passed, 0 failed\n", positions.size());
    return 0;
} catch (const std::exception &problem) {
    std::printf("%s\n0 passed, 1 failed\n", problem.what());
    return 1;
}
