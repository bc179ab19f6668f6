// The guide of Dice Yut: house rules, the rules with pictures, and a lesson.

export const houseRules = [
  { option: "pieces", title: ["Pieces", "말의 수"], about: ["Four is usual.", "보통 네 개입니다."], values: ["1", "2", "3", "4"] },
  { option: "throw-count", title: ["Throws", "던지는 횟수"], about: ["Ten is usual; twelve at most.", "보통 열 번이고, 열두 번까지 됩니다."], values: ["4", "6", "8", "10", "12"] },
  { option: "faces", title: ["The die", "주사위"], about: ["How often each number comes up.", "각 수가 나오는 정도입니다."], values: ["1,1,1,1,1", "4,6,4,1,1"], names: { "1,1,1,1,1": ["all alike", "모두 같음"], "4,6,4,1,1": ["like four sticks", "윷가락 넷처럼"] } },
  { option: "online", title: ["See each throw only when it is made", "던질 때마다 알기"], about: ["Off: all ten throws are known before the first move.", "끄면 처음에 열 번을 모두 알고 시작합니다."], on: "on", off: "off" },
];

export const sheet = [
  { title: ["The aim", "목표"], text: ["Ten throws of a five-sided die, four pieces: after each throw move one piece and score the number of the square it stops on. Collect as much as you can.", "오면체 주사위를 열 번 던지고 말은 네 개입니다. 던질 때마다 말 하나를 옮기고, 멈춘 칸의 수만큼 점수를 얻습니다. 점수를 가장 많이 모으세요."], position: "0,0,10,26 37 4,1,2" },
  { title: ["Short cuts", "지름길"], text: ["A piece that starts its move on 10, 20 or 30 turns off to the middle. Inner squares count more.", "10, 20, 30에서 출발하는 말은 가운데로 꺾입니다. 안쪽 칸은 점수가 더 높습니다."], position: "0,0,0,10 10 3,1,2", arrows: [{ trace: ["10", "13", "16i", "19"], tone: "good" }] },
  { title: ["One piece a square", "한 칸에 말 하나"], text: ["A piece may not stop where another one stands. The finish scores nothing.", "다른 말이 있는 칸에는 멈출 수 없습니다. 도착하면 점수가 없습니다."], position: "0,0,4,8 12 2,1,2" },
];

export const lesson = [
  { text: ["The first throw is 5. Click the waiting pieces.", "첫 주사위는 5입니다. 대기 중인 말을 누르세요."], position: "0,0,0,0 0 5,3", goal: ["0-10"], done: ["10 points, and the piece stands on a corner.", "10점을 얻고 모퉁이에 멈췄습니다."] },
  { text: ["Now a 3. Move the piece that takes the short cut to 19.", "이번에는 3입니다. 지름길로 19에 가는 말을 옮기세요."], position: "0,0,0,10 10 3", goal: ["10-19"], done: ["19 points instead of 6. That is what corners are for.", "6점이 아니라 19점입니다. 그래서 모퉁이가 좋습니다."], wrong: ["The piece on 10 scores more.", "10에 있는 말이 점수를 더 얻습니다."] },
];
