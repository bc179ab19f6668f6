// The guide of the Yut race: the rules with pictures, and a lesson.

export const houseRules = [
  { option: "front", title: ["The sticks", "윷가락"], about: ["How often a stick lands round side up.", "윷가락이 엎어지는 정도입니다."], values: ["0.530125", "0.5", "0.4"], names: { 0.530125: ["measured (53 %)", "실제 측정 (53 %)"], 0.5: ["fair (50 %)", "반반 (50 %)"], 0.4: ["flat (40 %)", "젖혀지기 쉬움 (40 %)"] } },
];

export const sheet = [
  { title: ["The aim", "목표"], text: ["One piece each, no catching: whoever is home first wins. There is nothing to choose; the sticks decide everything.", "말은 하나씩이고 잡기도 없습니다. 먼저 나는 사람이 이깁니다. 고를 것 없이 윷가락에 모든 것이 달렸습니다."], position: "5 10 0" },
  { title: ["The sticks", "윷가락"], text: ["Four sticks are thrown. The number of flat sides says how far: do 1, gae 2, geol 3, yut 4; none flat is mo, 5. Yut and mo keep the turn.", "윷가락 네 개를 던집니다. 젖혀진 수에 따라 도 1칸, 개 2칸, 걸 3칸, 윷 4칸, 모두 엎어지면 모 5칸입니다. 윷과 모가 나오면 한 번 더 던집니다."], throws: ["do", "gae", "geol", "yut", "mo"] },
  { title: ["Short cuts", "지름길"], text: ["A piece that stops on 5, 10 or 26 takes the short cut.", "5, 10, 26에 멈춘 말은 지름길로 갑니다."], position: "5 0 0", arrows: [{ trace: ["5", "20", "21"], tone: "good" }] },
];

export const lesson = [
  { text: ["It is your throw. Press the button below, and the piece runs.", "던질 차례입니다. 아래 단추를 누르면 말이 달립니다."], position: "0 0 0", goal: "throw", done: ["That is all there is to it. Who stops on a corner takes the short cut.", "이것이 전부입니다. 모퉁이에 멈추면 지름길로 갑니다."] },
  { text: ["You are on the short cut. Throw on!", "지름길에 있습니다. 계속 던지세요!"], position: "25 13 0", goal: "throw", done: ["Three or more steps would bring you to the last stretch.", "세 칸 이상이면 마지막 길로 들어섭니다."] },
];
