// Messages of the server that it has only in English, in Korean. Most begin with the part of the position
// that they are about: `turn: expected 0 or 1`. What has no pattern is told by its part alone.

const FIELDS = {
  pieces: "말", turn: "차례", list: "윷 목록", animals: "동물", round: "판", totals: "총점", player: "선수", "open tiles": "열린 숫자판", scores: "점수",
  score: "점수", roll: "주사위", throws: "던질 결과", throw: "던진 결과", position: "국면", board: "판", "side to move": "둘 차례", ply: "수 번호",
  p1: "A의 말", p2: "B의 말", white: "백", black: "흑", seats: "자리", game: "게임", move: "수", c3: "c3", "the record": "기보",
};

// Each is a pattern and its Korean text, in which $1, $2, ... are what the pattern found.
const PATTERNS = [
  [/^expected \S+ after it$/, "값을 적으세요"],
  [/^expected a whole number from (\d+) to (\d+), not (.+)$/, "$1부터 $2까지의 정수여야 하는데 $3입니다"],
  [/^expected a number from (\S+) to (\S+), not (.+)$/, "$1부터 $2까지의 수여야 하는데 $3입니다"],
  [/^expected a letter of (\w+) for each player, not (.+)$/, "선수마다 $1 가운데 한 글자여야 하는데 $2입니다"],
  [/^expected tiles from (\d+) to (\d+), not (.+)$/, "$1부터 $2까지의 숫자여야 하는데 $3입니다"],
  [/^expected increasing tiles, but (.+) is not$/, "작은 숫자부터 적으세요: $1"],
  [/^expected ascending squares$/, "낮은 칸부터 적으세요"],
  [/^expected ten throws, numbers from (\d+) to (\d+), not (.+)$/, "$1부터 $2까지의 수 열 개여야 하는데 $3개입니다"],
  [/^expected numbers from (\d+) to (\d+), then \?/, "$1부터 $2까지의 수를 적고, 아직 굴리지 않은 것은 물음표로 적으세요"],
  [/^expected a square from (\d+) to (\d+), or (\d+) for home, not (.+)$/, "$1부터 $2까지, 난 말은 $3이어야 하는데 $4입니다"],
  [/^no square ([^;]+)/, "없는 칸입니다: $1"],
  [/^players (\d) and (\d) are both on square (\d+)$/, "$1번 선수와 $2번 선수의 말이 $3번 칸에 함께 있습니다"],
  [/^unknown option ('[^']+')/, "없는 규칙입니다: $1"],
  [/^unknown preset ('[^']+'); expected (.+)$/, "없는 규칙 묶음입니다: $1. 고를 수 있는 것: $2"],
  [/^expected ([a-z]{2,4}), not ('[a-z]+')$/, "$1이어야 하는데 $2입니다"],
  [/^expected (\d+) to (\d+), not (.+)$/, "$1부터 $2까지여야 하는데 $3입니다"],
  [/^expected (\d+) to (\d+)$/, "$1부터 $2까지여야 합니다"],
  [/^expected (\S+) or (\S+), not (.+)$/, "$1, $2 가운데 하나여야 하는데 $3입니다"],
  [/^expected (\S+) or (\S+)$/, "$1, $2 가운데 하나여야 합니다"],
  [/^expected (\S+(?:, \S+)*,? or \S+), not (.+)$/, "$1 가운데 하나여야 하는데 $2입니다"],
  [/^expected at most (\d+)\D*, not (.+)$/, "$1 이하여야 하는데 $2입니다"],
  [/^at most (\w+) .*, not (\d+)$/, "너무 많습니다: $2"],
  [/^expected one king, not (\d+)$/, "왕은 하나여야 하는데 $1입니다"],
  [/^expected (\d+) soldiers.*, not (\d+)$/, "병사는 $1이어야 하는데 $2입니다"],
  [/^expected (\d+)\D*, not (?:of )?(\d+)$/, "$1이어야 하는데 $2입니다"],
  [/such as (.+), not (.+)$/, "$2을(를) 읽을 수 없습니다. 예: $1"],
  [/^expected .*, not (.+)$/, "쓸 수 없는 값입니다: $1"],
  [/no such squares?$/, "없는 칸입니다"],
  [/^(?:more than|at most) /, "너무 많습니다"],
  [/^two pieces stand on one square$/, "한 칸에 말이 둘 있습니다"],
  [/no soldier may stop there/, "병사는 멈출 수 없는 칸입니다"],
  [/ is a trap, where no piece stays/, "함정에는 말이 머물 수 없습니다"],
  [/has no rule option (.+)$/, "없는 규칙입니다: $1"],
  [/^(.+) is not a rule option/, "없는 규칙입니다: $1"],
  [/too long$/, "너무 깁니다"],
  [/^no set of the open tiles sums to (\d+)/, "열린 숫자판으로는 $1을 만들 수 없습니다"],
  [/^out of memory$/, "메모리가 부족합니다"],
  [/damaged|contradicts itself/, "표 파일이 손상되었습니다"],
  [/takes too long/, "시간이 너무 오래 걸립니다"],
  [/has won|is home|both home|has no piece|is over/, "이미 끝난 국면과 맞지 않습니다"],
];

function rest(words) {
  for (const [pattern, korean] of PATTERNS) {
    const found = pattern.exec(words);
    if (found) return korean.replace(/\$(\d)/g, (all, number) => found[number].replace(/,? or /, ", "));
  }
  return null;
}

// The fields of a position, which are capital letters, in Korean.
export function shapeInKorean(shape) {
  const nameOf = (word) => FIELDS[word] ?? FIELDS[Object.keys(FIELDS).find((field) => field.startsWith(`${word} `) || field.endsWith(` ${word}`))];
  return shape.replace(/[A-Z]\w*/g, (word) => nameOf(word.toLowerCase())?.replaceAll(" ", "") ?? word);
}

// The message in Korean; null if nothing is known about it.
export function inKorean(message) {
  const [, field, number, words] = /^(--[\w-]+|[a-z][a-z0-9 ]*?)(?: of player)? ?(\d*): (.+)$/.exec(message) ?? [];
  const whole = FIELDS[`${field}${number}`], name = whole ?? (field?.startsWith("--") ? field : field === "rank" ? `${number}번째 줄` : FIELDS[field] ?? FIELDS[`${field}s`]);
  if (!name) return rest(message);
  const owner = !whole && number && field !== "rank" ? `${"ABCDEFGH"[number] ?? number} 선수의 ` : "";
  return `${owner}${name}: ${rest(words) ?? "쓸 수 없는 값입니다"}`;
}
