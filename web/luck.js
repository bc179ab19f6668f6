// Accuracy and luck of each player in one sentence and one picture. The numbers are the sums of what the
// steps of the review show; for estimates, what is left unexplained is said.

import { el, label, svg } from "./dom.js";
import { verdictOf } from "./review.js";
import { signedNum, signedText } from "./values.js";
import { addWords, say } from "./words.js";

addWords({
  accuracy: ["{0}: {1} of {2} moves best or nearly", "{0}: {2}수 가운데 {1}수가 가장 좋거나 그에 가까운 수"],
  accuracy_mistakes: [" · mistakes: {0}", " · 실수 {0}번"],
  luck: ["luck", "운"],
  skill: ["mistakes", "실수"],
  others: ["others", "상대"],
  sum_words: [": luck {0}, own mistakes {1}, the others {2}.", ": 운 {0}, 자기 실수 {1}, 상대 {2}."],
  sum_exact: ["Together that is exactly the way from the value at the start to the result.", "이 셋을 더하면 시작할 때의 승률에서 결과까지의 변화와 정확히 같습니다."],
  sum_estimate: ["The values are estimates, so {0} of the change remains unexplained.", "승률이 추정값이라 {0}만큼은 설명되지 않습니다."],
  luck_picture: ["Luck, mistakes and the others as bars", "운, 실수, 상대를 나타낸 막대그래프"],
});

const NEARLY = ["best", "good", "slow", "forced"];

// What the steps add up to for a player: its luck, its mistakes, the others, and what is unexplained.
export function accountsOf(game, review, seat) {
  let luck = 0, skill = 0;
  review.steps.forEach((step, i) => {
    if (game.steps[i]?.player !== seat) return;
    luck += step.luck ?? 0;
    skill -= step.loss ?? 0;
  });
  if (review.lower_is_better) skill = -skill;
  const { others, result, start } = review.players[seat];
  return { luck, skill, others, rest: result - start - luck - skill - others };
}

// Bars from a common axis, one row per player.
function drawSplit(page, review, accounts) {
  const height = 17, row = 3 * height + 10, width = 320, middle = 190, most = Math.max(0.01, ...accounts.flatMap(({ luck, skill, others }) => [luck, skill, others].map(Math.abs)));
  const scale = 74 / most;
  const root = svg("svg", { viewBox: `0 0 ${width} ${accounts.length * row}`, class: "chart split", role: "img", "aria-label": say("luck_picture"), test: "split" });
  accounts.forEach((account, seat) => {
    const top = seat * row + 4;
    root.append(label(2, top + 1.5 * height, 13, page.module.seatMark(seat), { class: `line-letter p${seat}`, "text-anchor": "start" }));
    ["luck", "skill", "others"].forEach((name, i) => {
      const value = account[name], length = Math.max(0.8, Math.abs(value) * scale), y = top + i * height;
      root.append(svg("rect", { x: value < 0 ? middle - length : middle, y: y + 2, width: length, height: height - 4, rx: 2, class: name }));
      root.append(label(108, y + height / 2, 11, say(name), { class: "small", "text-anchor": "end" }));
      root.append(label(value < 0 ? middle + 4 : middle - 4, y + height / 2, 11, signedText(value, review.counted), { "text-anchor": value < 0 ? "start" : "end" }));
    });
    root.append(svg("path", { d: `M${middle} ${top}v${3 * height}`, class: "axis" }));
  });
  return root;
}

// Accuracy in words; with luck, also the picture and the sums.
export function summaryPanel(page, review) {
  const { game } = page, hasLuck = review.steps.some((step) => step.luck !== undefined);
  const sentences = review.players.map((_, seat) => {
    const verdicts = review.steps.map((_, i) => (game.steps[i]?.player === seat ? verdictOf(review, i) : null)).filter(Boolean);
    const bad = verdicts.filter((one) => one === "mistake" || one === "blunder").length;
    if (verdicts.length === 0) return null;
    return el("li", { test: "accuracy" }, say("accuracy", page.nameOf(seat), verdicts.filter((one) => NEARLY.includes(one)).length, verdicts.length), bad > 0 && say("accuracy_mistakes", bad));
  });
  if (!hasLuck) return el("ul", { class: "plain" }, sentences);
  const accounts = review.players.map((_, seat) => accountsOf(game, review, seat));
  const rest = Math.max(...accounts.map((account) => Math.abs(account.rest)));
  const isExact = review.exact !== false && rest < 1e-6;
  return el("div", {}, el("ul", { class: "plain" }, sentences), drawSplit(page, review, accounts),
    el("ul", { class: "plain" }, accounts.map((account, seat) => el("li", { test: "sum", "data-luck": account.luck, "data-skill": account.skill, "data-others": account.others },
      page.nameOf(seat), sumWords(account, review)))),
    el("p", { class: "note", test: "sum-note" }, isExact ? say("sum_exact") : say("sum_estimate", signedText(rest, review.counted).slice(1))));
}

function sumWords({ luck, skill, others }, review) {
  const parts = say("sum_words", "\u0001", "\u0002", "\u0003").split(/([\u0001-\u0003])/);
  const values = { "\u0001": luck, "\u0002": skill, "\u0003": others };
  return parts.map((part) => (part in values ? signedNum(values[part], review.counted, review.exact !== false) : part));
}
