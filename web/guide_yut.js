// The guide of Yut: house rules, the rules with pictures, and a lesson.

export const houseRules = [
  { option: "pieces", title: ["Pieces", "말의 수"], about: ["How many pieces each player brings home.", "한 사람이 내야 하는 말의 수입니다."], values: ["1", "2", "3", "4"] },
  { option: "players", title: ["Players", "사람 수"], about: ["Two to four play.", "두 명에서 네 명까지 합니다."], values: ["2", "3", "4"] },
  { option: "teams", title: ["Teams", "편 나누기"], about: ["Four play in two teams; partners share their fate.", "네 명이 두 편으로 나누어 합니다."], on: "on", off: "off" },
  { option: "preset", title: ["Rules as played", "규칙 묶음"], about: ["A common set of rules to begin with; what you change below comes on top.", "흔히 쓰는 규칙을 한꺼번에 고릅니다. 아래에서 바꾼 것은 그 위에 더해집니다."], values: ["", "plain", "choice", "teams", "korean", "family"], names: { "": ["choose…", "고르기…"], plain: ["no back-do", "빽도 없음"], choice: ["optional short cuts", "지름길 고르기"], teams: ["two teams", "2 대 2"], korean: ["Korean: real sticks, weak catches", "한국식: 실제 윷가락, 윷·모로 잡으면 없음"], family: ["family: Korean with nak and a trap", "집에서: 한국식에 낙과 함정"] } },
  { option: "bias", title: ["The sticks", "윷가락"], about: ["How often a stick lands flat side up; real ones do so six times in ten.", "윷가락이 젖혀지는 정도입니다. 실제 윷가락은 열에 여섯 번쯤 젖혀집니다."], values: ["", "0.6", "0.4"], names: { "": ["by the odds (usually fair)", "비율대로 (보통 반반)"], 0.6: ["real (60 %)", "실제 (60 %)"], 0.4: ["round (40 %)", "엎어지기 쉬움 (40 %)"] } },
  { option: "back-do", title: ["Back-do", "빽도"], about: ["One stick is marked: alone on its flat side it moves a piece back.", "표시된 윷가락 하나만 젖혀지면 말이 한 칸 물러납니다."], on: "on", off: "off" },
  { option: "short-cut", title: ["Choose the way at corners", "모퉁이에서 길 고르기"], about: ["A piece on a corner may stay on the ring.", "모퉁이에서 지름길로 갈지 바깥길로 갈지 고를 수 있습니다."], on: "may", off: "must" },
  { option: "catch-bonus", title: ["A catch gives a throw", "잡으면 한 번 더"], about: ["Whether catching gives another throw. Most printed rules exclude catches made with yut or mo.", "상대의 말을 잡았을 때 한 번 더 던질지 정합니다. 윷이나 모로 잡으면 더 던지지 않는 규칙이 흔합니다."], values: ["always", "weak", "never"], names: { always: ["always", "언제나"], weak: ["not with yut or mo", "윷·모로 잡으면 없음"], never: ["never", "없음"] } },
  { option: "back-from-1", title: ["Back-do from the first square", "첫 칸에서 빽도"], about: ["It goes back to the start square and is almost home.", "첫 칸에서 빽도가 나오면 출발점으로 물러나 거의 난 셈이 됩니다."], on: "on", off: "off" },
  { option: "nak", title: ["Nak: sticks off the mat", "낙"], about: ["How often a throw leaves the mat and counts for nothing.", "윷가락이 멍석 밖으로 나가 무효가 되는 정도입니다."], values: ["0", "0.05", "0.2"], names: { 0: ["never", "없음"], 0.05: ["5 %", "5 %"], 0.2: ["20 %", "20 %"] } },
  { option: "nak-loses", title: ["A nak loses the whole turn", "전낙"], about: ["A nak cancels everything you still had to play.", "낙이 되면 남은 윷까지 모두 잃고 차례가 끝납니다."], on: "turn", off: "throw" },
  { option: "traps", title: ["Traps", "함정(퐁당)"], about: ["A piece that stops on a trap goes back to the start. Type squares such as 18 or 7,18.", "함정에 멈춘 말은 처음으로 돌아갑니다. 18 또는 7,18처럼 칸 번호를 적으세요."] },
  { option: "centre", title: ["Choose the way in the centre", "한가운데에서 길 고르기"], about: ["A piece in the centre may also take the long way.", "한가운데에서 지름길로 갈지 먼길로 갈지 고를 수 있습니다."], on: "may", off: "must" },
  { option: "finish", title: ["When a piece is home", "말이 나는 때"], about: ["Beyond the start square, on reaching it, or from the last squares only with do or gae.", "출발점을 지나야 나는지, 닿기만 하면 나는지, 마지막 칸에서는 도나 개로만 나는지 정합니다."], values: ["pass", "reach", "short"], names: { pass: ["beyond the start", "지나야 남"], reach: ["on reaching it", "닿으면 남"], short: ["only with do or gae", "도·개로만 남"] } },
  { option: "empty-back-do", title: ["Back-do with no piece on the board", "판에 말이 없을 때 빽도"], about: ["It does nothing, brings a waiting piece home, or puts one on the start square.", "아무 일도 없거나, 말 하나가 바로 나거나, 말 하나를 출발점에 놓습니다."], values: ["skip", "home", "enter"], names: { skip: ["nothing", "없음"], home: ["a piece is home", "빽도 날기"], enter: ["a piece enters", "출발점에 놓기"] } },
  { option: "marked", title: ["Marked sticks", "표시된 윷가락"], about: ["How many sticks turn a do into a back-do.", "도를 빽도로 만드는 윷가락의 수입니다."], values: ["0", "1", "2"] },
  { option: "centre-stack", title: ["Automatic stacking in the centre", "자동 임신"], about: ["Stopping in the centre takes a waiting piece along.", "한가운데에 멈추면 대기 중인 말 하나를 업고 갑니다."], on: "on", off: "off" },
];

export const sheet = [
  { title: ["The aim", "목표"], text: ["Bring all your pieces around the board and home before the others. A piece starts at the bottom right, runs up, left, down and back, and is home once it passes the start.", "말을 모두 먼저 내면 이깁니다. 말은 오른쪽 아래에서 출발해 판을 돌아, 출발점을 지나면 납니다."], position: "0,3,8,100/0,0,12,19 0 -" },
  { title: ["The sticks", "윷가락"], text: ["Four sticks are thrown. The number of flat sides says how far: do 1, gae 2, geol 3, yut 4; none flat is mo, 5. Yut and mo give another throw. If only the marked stick lies flat, it is a back-do: one step back.", "윷가락 네 개를 던집니다. 젖혀진 수에 따라 도 1칸, 개 2칸, 걸 3칸, 윷 4칸, 모두 엎어지면 모 5칸입니다. 윷과 모는 한 번 더 던집니다. 표시된 윷가락만 젖혀지면 빽도로 한 칸 물러납니다."],
    throws: ["do", "gae", "geol", "yut", "mo", "back-do"] },
  { title: ["Short cuts", "지름길"], text: ["A piece that stops exactly on a corner (5 or 10) or in the centre (22) takes the short cut with its next move. Passing over it does not count.", "말이 모퉁이(5, 10)나 한가운데(22)에 딱 멈추면 다음에는 지름길로 갑니다. 지나가기만 하면 지름길로 갈 수 없습니다."], position: "0,0,5,22/0,0,0,10 0 gae", arrows: [{ trace: ["5", "20", "21"], tone: "good" }, { trace: ["22", "27", "28"], tone: "good" }] },
  { title: ["Catching", "잡기"], text: ["Stopping on another player's pieces sends them all back to the start, and you throw again.", "상대의 말이 있는 곳에 멈추면 그 말을 잡습니다. 잡힌 말은 처음부터 다시 시작하고, 잡은 사람은 한 번 더 던집니다."], position: "0,0,0,8/0,0,0,11 0 geol", arrows: [{ trace: ["8", "9", "10", "11"], tone: "bad" }] },
  { title: ["Stacking", "업기"], text: ["Pieces of yours that meet run on together. That is fast, but all of them are caught together, too.", "내 말끼리 만나면 업고 함께 갑니다. 빠르지만 잡힐 때도 함께 잡힙니다."], position: "0,0,7,9/0,0,0,0 0 gae", arrows: [{ trace: ["7", "8", "9"], tone: "good" }] },
];

export const lesson = [
  { text: ["You threw geol: three steps. Click the waiting pieces to bring one onto the board.", "걸이 나왔습니다. 세 칸입니다. 대기 중인 말을 눌러 판에 올리세요."], rules: "--pieces 2", position: "0,0/0,0 0 geol", goal: ["0:geol"], done: ["It goes to 3.", "3번 자리로 갔습니다."] },
  { text: ["Another gae. Which piece reaches the corner and will take the short cut?", "개가 나왔습니다. 어느 말이 모퉁이에 멈춰 지름길로 갈 수 있을까요?"], rules: "--pieces 2", position: "0,3/0,0 0 gae", goal: ["3:gae"], done: ["On 5 it will turn off with its next move.", "5번에 멈췄으니 다음에는 지름길로 갑니다."], wrong: ["Look for the piece that lands exactly on 5.", "5번에 딱 멈추는 말을 찾아보세요."] },
  { text: ["Red stands three steps ahead of you. Catch it with the geol!", "세 칸 앞에 상대의 말이 있습니다. 걸로 잡으세요!"], rules: "--pieces 2", position: "0,6/0,9 0 geol", goal: ["6:geol"], done: ["Caught: it starts anew, and you throw again.", "잡았습니다. 상대의 말은 처음으로 돌아가고, 한 번 더 던집니다."], wrong: ["Move the piece on the board.", "판 위의 말을 움직이세요."] },
  { text: ["You have a yut and a do. Which piece can go home with the yut?", "윷과 도가 있습니다. 어느 말이 윷으로 날 수 있을까요?"],
    rules: "--pieces 2", position: "2,19/0,0 0 do,yut", goal: ["19:yut"], done: ["Home! It needed only two steps; passing the start is enough.", "났습니다! 두 칸이면 충분했습니다. 출발점을 지나기만 하면 됩니다."], wrong: ["The piece on 19 is two steps from home; choose it and the yut.", "19번의 말은 두 칸만 가면 납니다. 그 말에 윷을 쓰세요."] },
];
