// The texts of the page, English and Korean side by side, and the language in use. The words of a
// single game are in its board module and its guide, which add them here.

const WORDS = {
  title: ["malpan", "말판"],
  lobby: ["Games", "게임"],
  language: ["한국어", "English"],
  settings: ["Settings", "설정"],
  animation: ["Animation", "움직임 효과"],
  sound: ["Sound", "소리"],
  sound_on: ["Turn sound on", "소리 켜기"],
  sound_off: ["Turn sound off", "소리 끄기"],
  theme: ["Appearance", "화면 색"],
  theme_auto: ["Automatic", "자동"],
  theme_light: ["Light", "밝게"],
  theme_dark: ["Dark", "어둡게"],
  pace: ["Pace of other players", "진행 속도"],
  pace_slow: ["Slow", "느리게"],
  pace_normal: ["Normal", "보통"],
  pace_fast: ["Fast", "빠르게"],
  pace_instant: ["At once", "바로"],
  your_name: ["Your name", "내 이름"],
  choose_name: ["Choose a name", "이름 정하기"],
  name_hint: ["Others see it at your seat.", "상대에게 보이는 이름입니다."],
  keys: ["Keyboard", "단축키"],
  close: ["Close", "닫기"],
  loading: ["Loading…", "불러오는 중…"],
  connection_lost: ["Connection lost. Reconnecting…", "연결이 끊겼습니다. 다시 연결하는 중…"],
  unreachable: ["The server does not respond.", "서버가 응답하지 않습니다."],
  error_usage: ["Invalid request", "잘못된 요청입니다"],
  error_forbidden: ["Not allowed", "허용되지 않습니다"],
  error_not_found: ["Not found", "찾을 수 없습니다"],
  error_method: ["Method not allowed", "허용되지 않는 요청 방식입니다"],
  error_too_slow: ["The request took too long to arrive", "요청 전송이 너무 오래 걸렸습니다"],
  error_conflict: ["No longer possible", "이미 상황이 바뀌었습니다"],
  error_too_large: ["The request is too large", "요청이 너무 큽니다"],
  error_not_json: ["The request is not JSON", "요청의 형식이 잘못되었습니다"],
  error_too_many: ["Too many requests", "요청이 너무 많습니다"],
  error_unavailable: ["Not available", "지금은 사용할 수 없습니다"],
  error_failed: ["Something went wrong", "오류가 발생했습니다"],
  not_found: ["There is no such page.", "없는 페이지입니다."],
  no_such_game: ["There is no such game.", "없는 게임입니다."],
  copy: ["Copy", "복사"],
  copied: ["Copied", "복사했습니다"],

  tagline: ["Board games in which the value of every move is known.", "한 수 한 수의 승률을 아는 보드게임."],
  choose_game: ["What shall we play?", "무엇을 할까요?"],
  rules: ["House rules", "규칙 바꾸기"],
  advanced: ["Advanced", "고급 설정"],
  advanced_seats: ["Seats one by one", "자리마다 따로 정하기"],
  seats: ["Who plays?", "누가 하나요?"],
  opponent: ["Who do you play with?", "누구와 할까요?"],
  with_computer: ["The computer", "컴퓨터"],
  with_computer_about: ["It answers at once.", "바로 시작합니다."],
  needs_server: ["Your games stay in this browser. To play a friend by link, run", "게임은 이 브라우저에만 저장됩니다. 링크로 친구와 두려면 이 명령을 실행하세요:"],
  with_link: ["A friend, by link", "링크로 친구 초대"],
  with_link_about: ["Each on their own device.", "각자 자기 기기로 합니다."],
  with_here: ["Friends, on this device", "이 기기에서 함께"],
  with_here_about: ["You take turns.", "번갈아 가며 합니다."],
  level: ["How strong?", "얼마나 잘할까요?"],
  level_easy: ["Easy", "쉬움"],
  level_normal: ["Normal", "보통"],
  level_strong: ["Strong", "강함"],
  level_best: ["Best", "최강"],
  who_begins: ["Who begins?", "누가 먼저 할까요?"],
  begin_me: ["I do", "내가 먼저"],
  begin_other: ["They do", "상대가 먼저"],
  begin_any: ["Either", "아무나"],
  kind_here: ["person, at this browser", "사람 (이 기기)"],
  kind_link: ["person, by link", "사람 (링크로 초대)"],
  kind_computer: ["computer", "컴퓨터"],
  computer_player: ["Computer for seat {0}", "{0}번 자리의 컴퓨터"],
  start: ["Start the game", "게임 시작"],
  read_rules: ["How to play", "놀이 방법"],
  take_lesson: ["One-minute lesson", "1분 배우기"],
  analysis: ["Analysis board", "분석판"],
  open_analysis: ["Analysis board", "분석판 열기"],
  examples: ["Example positions", "예제 국면"],
  import: ["Import a game", "기보 불러오기"],
  import_help: ["Paste the record of a game, as downloaded with “Download the record”.", "‘기보 내려받기’로 저장한 기보를 붙여 넣으세요."],
  import_go: ["Import", "불러오기"],
  recent: ["Recent games", "최근에 한 게임"],
  forget: ["Clear this list", "목록 지우기"],
  moves_ahead: ["searches {0} moves ahead", "{0}수 앞까지 읽음"],
  seconds: ["thinks {0} s per move", "한 수에 {0}초"],

  player: ["Player {0}", "{0} 선수"],
  you: ["you", "나"],
  computer: ["Computer", "컴퓨터"],
  computer_level: ["Computer, {0}", "컴퓨터 · {0}"],
  here_now: ["{0} is here", "{0} 님이 접속해 있습니다"],
  not_here: ["{0} is away", "{0} 님이 자리를 비웠습니다"],
  watchers: ["{0} watching", "관전 {0}명"],
  watching: ["You are watching.", "관전 중입니다."],
  to_move: ["{0} to move", "{0} 차례입니다"],
  to_throw: ["{0} to throw", "{0} 차례입니다 (던지기)"],
  your_move: ["Your move, {0}", "{0}, 말을 옮기세요"],
  your_throw: ["Your throw, {0}", "{0}, 던지세요"],
  throwing: ["{0} throws…", "{0} 던지는 중…"],
  thinking: ["{0} is thinking…", "{0} 생각하는 중…"],
  trouble: ["{0} cannot move: {1}", "{0}: 둘 수 없습니다 ({1})"],
  over: ["Game over.", "게임이 끝났습니다."],
  moves: ["Possible moves", "움직일 수 있는 말"],
  no_moves: ["There is nothing to choose now.", "지금은 고를 것이 없습니다."],
  throw: ["Throw", "던지기"],
  undo: ["Take back", "무르기"],
  flip: ["Flip the board", "판 돌리기"],
  skip: ["Skip to now", "지금 상황으로"],
  taken_back: ["A move was taken back.", "한 수 물렀습니다."],
  undo_asks: ["{0} asks to take back a move.", "{0} 님이 무르기를 요청했습니다."],
  undo_waiting: ["You asked to take back a move.", "무르기를 요청했습니다."],
  undo_agree: ["Agree", "허락"],
  undo_decline: ["Decline", "거절"],
  undo_declined: ["Your request to take back a move was declined.", "무르기 요청이 거절되었습니다."],
  undo_withdraw: ["Withdraw", "요청 취소"],
  hints: ["Hints", "도움말"],
  hint_0: ["Hints: off", "도움말: 끔"],
  hint_1: ["Hints: legal moves", "도움말: 갈 수 있는 곳"],
  hint_2: ["Hints: values", "도움말: 승률"],
  hint_3: ["Hints: best moves", "도움말: 가장 좋은 수"],
  best: ["best", "최선"],
  loss: ["Loss", "손해"],
  value: ["Value", "승률"],
  value_wait: ["Evaluating…", "계산하는 중…"],
  no_value: ["No value: {0}", "승률을 알 수 없습니다: {0}"],
  about: ["about {0}", "약 {0}"],
  plies: ["{0} plies", "두 사람 합쳐 {0}수"],
  outcome_win: ["win in {0} moves", "{0}수 만에 이김"],
  outcome_win_one: ["win in 1 move", "다음 수로 이김"],
  outcome_win_now: ["won", "이김"],
  outcome_loss: ["loss in {0} moves", "{0}수 만에 짐"],
  outcome_loss_one: ["loss in 1 move", "다음 수로 짐"],
  outcome_loss_now: ["lost", "짐"],
  short_win: ["win {0}", "{0}수 승"],
  short_loss: ["loss {0}", "{0}수 패"],
  outcome_endless: ["endless", "끝나지 않음"],
  instead_of: ["instead of: {0}", "최선은 {0}"],
  slower: ["slower by {0}", "{0}수 느림"],
  sooner: ["sooner by {0}", "{0}수 빨리 짐"],
  estimate_note: ["“About” marks estimates; they are not exact.", "‘약’은 정확한 값이 아닌 추정값입니다."],
  estimate_error: ["“About” marks estimates, with their typical error.", "‘약’은 추정값이며, ±는 보통의 오차입니다."],
  history: ["Course of the game", "승률의 흐름"],
  steps: ["Moves so far", "진행 기록"],
  start_position: ["Start", "시작"],
  first: ["First", "처음으로"],
  back: ["Back", "이전"],
  forward: ["Forward", "다음"],
  last: ["Last", "끝으로"],
  now: ["Back to the game", "현재로"],
  looking_back: ["Earlier position: step {0} of {1}", "지난 국면: {1}단계 중 {0}단계"],
  text_board: ["The board as text", "글자로 보기"],
  share: ["Invite and share", "초대와 공유"],
  invite: ["Invite", "초대"],
  invite_title: ["Invite a friend", "친구 초대"],
  invite_about: ["Send this link, or let your friend scan the code. Whoever opens it first gets the seat.", "이 링크를 보내거나 친구가 큐알 코드를 찍게 하세요. 먼저 연 사람이 그 자리에 앉습니다."],
  seat_link: ["Link for {0}", "{0} 초대 링크"],
  watch_link: ["Link to watch", "관전 링크"],
  loopback: ["These links only work on this computer. To play with others, start the server with", "이 링크는 이 컴퓨터에서만 열립니다. 다른 기기와 함께 하려면 서버를 이렇게 시작하세요:"],
  other_address: ["Other devices in your network open", "같은 네트워크의 다른 기기는 이 주소로 들어옵니다:"],
  qr_label: ["QR code of the link for {0}", "{0} 초대 링크의 큐알 코드"],
  watch_instead: ["Watch the game", "관전하기"],
  position_link: ["Analyze this position", "이 국면 분석하기"],
  export: ["Download the record", "기보 내려받기"],
  copy_record: ["Copy the record", "기보 복사"],
  board_label: ["Board. Arrow keys choose a move, Enter plays it, Space throws, ? lists all keys.", "판. 화살표 키로 수를 고르고 엔터 키로 두고 스페이스 키로 던집니다. 물음표 키를 누르면 단축키 목록이 나옵니다."],
  preview: ["Preview {1} of {2}: {0}", "미리 보기 {2}개 중 {1}번째: {0}"],
  key_arrows: ["choose among the moves; look back and forward", "움직일 수 있는 말 고르기, 앞뒤로 보기"],
  key_enter: ["play the chosen move", "고른 수 두기"],
  key_space: ["throw, or play the chosen move", "던지기, 고른 수 두기"],
  key_u: ["take back, or ask to", "무르기"],
  key_h: ["next level of hints", "도움말 단계 바꾸기"],
  key_f: ["flip the board", "판 돌리기"],
  key_n: ["in a review: next mistake", "복기에서 다음 실수로"],
  key_escape: ["cancel the choice", "선택 취소"],
  key_question: ["this list", "이 목록"],
  keys_help: ["They work everywhere, except while you type.", "글자를 입력할 때가 아니면 어디서나 쓸 수 있습니다."],

  ending_won: ["{0} won", "{0} 승리"],
  ending_you: ["You won!", "이겼습니다!"],
  ending_lost: ["You lost", "졌습니다"],
  ending_tie: ["A tie", "무승부"],
  ending_score: ["Score: {0}", "점수: {0}"],
  rematch: ["Rematch", "한 판 더"],
  swap_seats: ["Swap seats", "자리 바꿔서"],
  new_game: ["New game", "새 게임"],
  story_wait: ["Looking at the game…", "게임을 살펴보는 중…"],
  story_lucky: ["{0} was luckier: {1} against {2}.", "{0} 쪽이 운이 더 좋았습니다 ({1} 대 {2})."],
  story_unlucky: ["{0} won with less luck: {1} against {2}.", "{0} 쪽이 운이 더 나빴는데도 이겼습니다 ({1} 대 {2})."],
  story_even: ["Luck hardly mattered.", "운은 거의 영향을 주지 않았습니다."],
  story_clean: ["Nobody made a mistake.", "실수가 없었습니다."],
  story_mistake: ["The costliest mistake: step {0} by {1}{2}.", "가장 큰 실수는 {0}번째, {1}의 수였습니다{2}."],

  fair: ["Fair throws", "공정성 확인"],
  fair_about: ["All throws come from a secret seed that was drawn before the game. This is its fingerprint:", "모든 결과는 게임 전에 정한 비밀 번호에서 나옵니다. 그 번호의 지문입니다:"],
  fair_later: ["The seed is published when the game is over, so that you can check it.", "게임이 끝나면 번호가 공개되어 직접 확인할 수 있습니다."],
  seed: ["Seed", "번호"],
  salt: ["Salt", "덧붙인 글자"],
  check: ["Check", "확인"],
  fair_seal_good: ["The fingerprint matches the seed.", "지문이 번호와 일치합니다."],
  fair_seal_bad: ["The fingerprint does NOT match the seed.", "지문이 번호와 일치하지 않습니다!"],
  fair_throws_good: ["All {0} throws follow from the seed.", "{0}번의 결과가 모두 그 번호에서 나왔습니다."],
  fair_throws_bad: ["{0} of {1} throws follow from the seed. These steps do not: {2}.", "{1}번 가운데 {0}번만 번호와 맞습니다. 맞지 않는 단계: {2}."],
  fair_no_throws: ["There were no throws.", "던진 적이 없습니다."],
  fair_unknown: ["{0} throws came with the imported game and cannot be checked.", "불러온 기보의 {0}번은 확인할 수 없습니다."],

  review: ["Review", "복기"],
  brush_remove: ["remove", "지우기"],
};

const LANGUAGES = ["en", "ko"];
let language = "en";

// Adds texts: { key: [English, Korean] }.
export function addWords(words) {
  Object.assign(WORDS, words);
}

export function setLanguage(name) {
  language = LANGUAGES.includes(name) ? name : "en";
  document.documentElement.lang = language;
}

export function getLanguage() {
  return language;
}

// The text of a key, with {0}, {1}, ... replaced.
export function say(key, ...values) {
  const entry = WORDS[key];
  if (!entry) return key;
  return fillIn(pick(entry), values);
}

function fillIn(text, values) {
  return text.replace(/\{(\d)\}/g, (all, index) => String(values[index] ?? ""));
}

// The text of a key as a board module has it, or else the usual one.
export function sayOf(module, key, ...values) {
  const texts = module.words?.[key];
  return texts ? fillIn(pick(texts), values) : say(key, ...values);
}

// One of a pair [English, Korean].
export function pick(texts) {
  return texts?.[LANGUAGES.indexOf(language)] ?? "";
}

// A text from the server, {"en", "ko"} or a plain string, in the language in use.
export function told(text) {
  if (text === null || text === undefined) return "";
  return typeof text === "object" ? text[language] ?? text.en ?? "" : String(text);
}
