// The guide of King's Valley: house rules, the rules with pictures, and a lesson.

export const houseRules = [
  { option: "soldiers", title: ["Soldiers", "병사의 수"], about: ["Fewer soldiers make shorter games, good for learning.", "병사가 적으면 판이 짧아 배우기 좋습니다."], values: ["0", "1", "2", "3", "4"] },
  { option: "start", title: ["Retrieve the King", "왕을 되찾기"], about: ["The kings start on each other's side.", "두 왕이 서로 상대편에서 시작합니다."], on: "retrieve", off: "standard" },
];

export const sheet = [
  { title: ["The aim", "목표"], text: ["Bring your king to the valley in the middle. It has to stop there; passing over it is not enough.", "왕을 한가운데 골짜기에 보내면 이깁니다. 지나가기만 해서는 안 되고 딱 멈춰야 합니다."], position: "sskss/5/5/5/SSKSS w 1" },
  { title: ["Sliding", "미끄러지기"], text: ["Every piece moves in one of eight directions and slides as far as it can: up to the edge or the next piece. There is no capturing.", "모든 말은 여덟 방향으로 움직이며, 판의 끝이나 다른 말에 막힐 때까지 미끄러집니다. 잡는 일은 없습니다."], position: "sskss/5/5/5/SSKSS w 1", arrows: [{ trace: ["a1", "b2", "c3", "d4"], tone: "plain" }, { trace: ["b1", "b2", "b3", "b4"], tone: "plain" }] },
  { title: ["The valley", "골짜기"], text: ["Soldiers may slide over the valley but not stop in it. White's very first move must be a soldier's.", "병사는 골짜기를 지나갈 수 있지만 멈출 수 없습니다. 백의 첫수는 병사로만 둡니다."], position: "1sk1s/3s1/1s3/5/SSKSS w 3" },
  { title: ["Walled in", "갇힌 왕"], text: ["A king without a free neighbouring square has lost. So do not crowd your own king.", "이웃한 칸이 모두 막힌 왕은 집니다. 자기 왕을 스스로 가두지 마세요."], position: "1k3/s1ss1/4s/SS3/KS2S b 10" },
];

export const lesson = [
  { text: ["White's first move must be a soldier's. Slide the soldier from a1 diagonally across the valley.", "백의 첫수는 병사로만 둡니다. a1의 병사를 골짜기 너머로 비스듬히 미끄러뜨리세요."],
    position: "sskss/5/5/5/SSKSS w 1", goal: ["a1d4"], done: ["It stops on d4, in front of black's e5.", "e5의 흑 병사 앞인 d4에 멈췄습니다."], wrong: ["From a1 to d4: click the soldier, then d4, or drag it.", "a1에서 d4로: 병사를 누르고 d4를 누르거나 끌어다 놓으세요."] },
  { text: ["The white king on c1 could slide up, but it would run past the valley. A piece on c4 stops it in time. Win now!", "c1의 백 왕은 위로 가면 골짜기를 지나치지만, c4에 말이 있어 딱 멈춥니다. 지금 이기세요!"], position: "ss1ss/2S2/5/k4/1SKSS w 5", goal: ["c1c3"], done: ["The king stops in the valley and wins.", "왕이 골짜기에 멈춰 이겼습니다."], wrong: ["Move the king straight up.", "왕을 똑바로 위로 보내세요."] },
];
