// The guide of Shut the Box: house rules, the rules with pictures, and a lesson.

export const houseRules = [
  { option: "tiles", title: ["Tiles", "숫자판의 수"], about: ["Nine is usual; twelve is harder.", "보통 아홉 개입니다. 열두 개면 더 어렵습니다."], values: ["9", "10", "12"] },
  { option: "players", title: ["Players", "사람 수"], about: ["Alone, or up to eight in turn.", "혼자서, 또는 여덟 명까지 번갈아 합니다."], values: ["1", "2", "3", "4", "5", "6", "7", "8"] },
  { option: "one-die", title: ["When to roll one die", "주사위 하나만 굴릴 때"], about: ["At the end of a turn one die is enough.", "막바지에는 주사위 하나로 충분합니다."], values: ["sum<=6", "top<=6", "never"], names: { "sum<=6": ["open tiles sum to 6 or less", "남은 합이 6 이하일 때"], "top<=6": ["no tile above 6 is open", "7 이상이 모두 닫혔을 때"], never: ["never", "쓰지 않음"] } },
  { option: "shut-wins", title: ["Closing everything wins at once", "모두 닫으면 바로 승리"], about: ["Off: it scores 0, and the others still play.", "끄면 0점이 되고 다른 사람도 마저 합니다."], on: "on", off: "off" },
  { option: "rounds", title: ["Rounds", "판 수"], about: ["The lowest total of all rounds wins.", "모든 판의 합이 가장 낮은 사람이 이깁니다."], values: ["1", "3", "5"], names: { 1: ["one; with a limit, until one is left", "한 판; 한도가 있으면 한 명 남을 때까지"] } },
  { option: "limit", title: ["Out at a limit", "점수가 차면 탈락"], about: ["Scores add up round by round; whoever reaches the limit is out, and the last one left wins.", "판마다 점수를 더해 한도에 이르면 탈락하고, 끝까지 남은 사람이 이깁니다."], values: ["0", "45", "100"], names: { 0: ["no limit", "한도 없음"], 45: ["45 points", "45점"], 100: ["100 points", "100점"] } },
  { option: "two-to-go", title: ["An opening 2 loses", "첫 주사위 2는 꽝"], about: ["Rolling 2 first ends the turn with every tile open.", "첫 주사위가 2면 숫자판을 모두 연 채 차례가 끝납니다."], on: "on", off: "off" },
];

export const sheet = [
  { title: ["The aim", "목표"], text: ["Close all tiles, or leave as little open as you can. Who closes everything wins at once; otherwise the lowest sum of open tiles wins.", "숫자판을 모두 닫거나 되도록 적게 남깁니다. 모두 닫으면 바로 이기고, 아니면 남은 숫자의 합이 가장 작은 사람이 이깁니다."], position: "1245789 0 - -" },
  { title: ["A turn", "한 차례"], text: ["Roll two dice and close open tiles that add up to the roll: with 8 that may be 8, 1+7, 3+5 or 1+2+5. Go on until nothing fits.", "주사위 두 개를 굴려 그 합이 되도록 숫자판을 닫습니다. 8이면 8, 1+7, 3+5, 1+2+5 가운데 고를 수 있습니다. 닫을 수 없을 때까지 계속합니다."], position: "123456789 0 - 8", arrows: [{ move: "8", tone: "good" }] },
  { title: ["The end of a turn", "차례의 끝"], text: ["When no set of open tiles fits the roll, the open tiles are your score and the next player starts with all tiles open.", "맞는 조합이 없으면 남은 숫자의 합이 점수가 되고, 다음 사람이 숫자판을 모두 열고 시작합니다."], position: "123456789 1 17 -" },
];

export const lesson = [
  { text: ["You rolled 9. Close a single tile: click the 9, then the button.", "9가 나왔습니다. 숫자판 하나만 닫아 봅시다. 9를 누르고 단추를 누르세요."], rules: "--players 1", position: "123456789 0 - 9", goal: ["9"], done: ["Large tiles are hard to close later, so that is usually best.", "큰 숫자는 나중에 닫기 어려우니 보통 이것이 가장 좋습니다."], wrong: ["That fits, too, but try the 9 alone.", "그것도 되지만 9 하나만 닫아 보세요."] },
  { text: ["Now 8, but the 8 is closed already. Close two tiles that sum to 8, with the larger one as large as possible.", "이번에는 8인데 8은 이미 닫혔습니다. 합이 8이 되는 두 개를, 되도록 큰 숫자를 넣어 닫으세요."], rules: "--players 1", position: "123567 0 - 8", goal: ["1+7"], done: ["Right: the 7 is gone.", "좋습니다. 7을 닫았습니다."], wrong: ["There is a larger tile to close.", "더 큰 숫자를 닫을 수 있습니다."] },
];
