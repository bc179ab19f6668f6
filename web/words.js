// The texts of the page, English and Korean side by side, and the language in use. The words of a
// single game are in its board module, which adds them here.

const WORDS = {
  title: ["malpan", "말판"],
  lobby: ["Games", "게임"],
  language: ["한국어", "English"],
  animation: ["Animation", "애니메이션"],
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
  error_not_json: ["The request is not JSON", "요청이 JSON 형식이 아닙니다"],
  error_too_many: ["Too many requests", "요청이 너무 많습니다"],
  error_unavailable: ["Not available", "지금은 사용할 수 없습니다"],
  error_failed: ["Something went wrong", "오류가 발생했습니다"],
  not_found: ["There is no such page.", "없는 페이지입니다."],
  copy: ["Copy", "복사"],
  copied: ["Copied", "복사됨"],

  tagline: ["Board games in which the value of every move is known.", "모든 수의 값을 아는 보드게임."],
  choose_game: ["Choose a game", "게임을 고르세요"],
  rules: ["Rules", "규칙"],
  seats: ["Players", "누가 두나요?"],
  kind_here: ["person, at this browser", "사람 (이 브라우저)"],
  kind_link: ["person, by link", "사람 (링크로 초대)"],
  kind_computer: ["computer", "컴퓨터"],
  computer_player: ["Computer for player {0}", "선수 {0}의 컴퓨터"],
  start: ["Start the game", "게임 시작"],
  analysis: ["Analysis board", "분석"],
  open_analysis: ["Analysis board", "분석판 열기"],
  examples: ["Example positions", "예제 국면"],
  import: ["Import a game", "기보 불러오기"],
  import_help: ["Paste the record of a game, as downloaded with “Download the record”.", "‘기보 내려받기’로 저장한 기보를 붙여 넣으세요."],
  import_go: ["Import", "불러오기"],
  recent: ["Recent games", "최근 게임"],
  forget: ["Clear this list", "목록 지우기"],
  moves_ahead: ["searches {0} moves ahead", "{0}수 앞까지 읽음"],
  seconds: ["thinks {0} s per move", "한 수에 {0}초"],

  player: ["Player {0}", "선수 {0}"],
  you: ["you", "나"],
  watching: ["You are watching.", "관전 중입니다."],
  to_move: ["{0} to move", "{0} 차례"],
  to_throw: ["{0} to throw", "{0} 던질 차례"],
  your_move: ["Your move: {0}", "당신 차례입니다: {0}"],
  your_throw: ["Your throw: {0}", "당신이 던질 차례입니다: {0}"],
  throwing: ["{0} throws…", "{0} 던지는 중…"],
  thinking: ["{0} is thinking…", "{0} 생각하는 중…"],
  trouble: ["{0} cannot move: {1}", "{0}: 둘 수 없습니다 ({1})"],
  over: ["Game over.", "게임이 끝났습니다."],
  moves: ["Legal moves", "둘 수 있는 수"],
  no_moves: ["There is nothing to choose now.", "지금은 고를 수가 없습니다."],
  throw: ["Throw", "던지기"],
  undo: ["Take back", "무르기"],
  taken_back: ["A move was taken back.", "한 수 물렀습니다."],
  undo_asks: ["{0} asks to take back a move.", "{0} 님이 무르기를 요청했습니다."],
  undo_waiting: ["You asked to take back a move. Waiting for the others to agree.", "무르기를 요청했습니다. 상대의 동의를 기다립니다."],
  undo_agree: ["Agree", "동의"],
  undo_withdraw: ["Withdraw", "취소"],
  hint_0: ["Hints: off", "힌트: 끔"],
  hint_1: ["Hints: legal moves", "힌트: 둘 수 있는 곳"],
  hint_2: ["Hints: values", "힌트: 값"],
  hint_3: ["Hints: values and losses", "힌트: 값과 손해"],
  best: ["best", "최선"],
  loss: ["Loss", "손해"],
  value: ["Value", "값"],
  value_wait: ["Evaluating…", "계산하는 중…"],
  no_value: ["No value: {0}", "값을 알 수 없음: {0}"],
  outcome_win: ["win in {0}", "{0}수 만에 이김"],
  outcome_loss: ["loss in {0}", "{0}수 만에 짐"],
  outcome_endless: ["endless", "끝나지 않음"],
  best_is: ["best: {0}", "최선: {0}"],
  estimate_note: ["~ marks an estimate, not an exact value", "~ 표시는 정확한 값이 아닌 추정값입니다"],
  exactly: ["exactly {0}", "정확히 {0}"],
  history: ["Value over the game", "값의 변화"],
  steps: ["Moves so far", "진행 기록"],
  start_position: ["Start", "시작"],
  first: ["First", "처음으로"],
  back: ["Back", "이전"],
  forward: ["Forward", "다음"],
  last: ["Last", "끝으로"],
  now: ["Back to the game", "현재로"],
  looking_back: ["Earlier position: after step {0} of {1}", "지난 국면: {1}단계 중 {0}단계"],
  text_board: ["The board as text", "텍스트로 보기"],
  share: ["Share", "공유"],
  seat_link: ["Link for player {0}", "선수 {0} 초대 링크"],
  watch_link: ["Link to watch", "관전 링크"],
  position_link: ["Analyse this position", "이 국면 분석하기"],
  export: ["Download the record", "기보 내려받기"],
  copy_record: ["Copy the record", "기보 복사"],
  board_label: ["Board. Arrow keys choose a move, Enter plays it, ? lists all keys.", "판. 화살표 키로 수를 고르고 Enter 키로 둡니다. ? 키를 누르면 단축키 목록이 나옵니다."],
  key_arrows: ["choose among the legal moves", "둘 수 있는 수 고르기"],
  key_enter: ["play the chosen move", "고른 수 두기"],
  key_t: ["throw", "던지기"],
  key_u: ["take back, or ask to", "무르기"],
  key_h: ["next level of hints", "힌트 단계 바꾸기"],
  key_escape: ["cancel the choice", "선택 취소"],
  key_question: ["this list", "이 목록"],
  keys_help: ["These keys work while the board has the focus.", "판이 선택되어 있을 때 쓸 수 있습니다."],
  choose_result: ["Which one?", "어느 것을 둘까요?"],

  fair: ["Fair throws", "공정성 확인"],
  fair_about: ["All throws come from a secret seed that was drawn before the game. Its SHA-256 commitment:", "모든 결과는 게임 전에 정한 비밀 시드에서 나옵니다. 시드의 SHA-256 확인값:"],
  fair_later: ["The seed is published when the game is over, so that you can check it.", "게임이 끝나면 시드가 공개되어 직접 확인할 수 있습니다."],
  seed: ["Seed", "시드"],
  salt: ["Salt", "솔트"],
  check: ["Check", "확인"],
  fair_seal_good: ["The commitment matches the seed.", "확인값이 시드와 일치합니다."],
  fair_seal_bad: ["The commitment does NOT match the seed.", "확인값이 시드와 일치하지 않습니다!"],
  fair_throws_good: ["All {0} throws follow from the seed.", "{0}번의 결과가 모두 시드에서 나왔습니다."],
  fair_throws_bad: ["{0} of {1} throws follow from the seed. These steps do not: {2}.", "{1}번 가운데 {0}번만 시드와 맞습니다. 맞지 않는 단계: {2}."],
  fair_no_throws: ["There were no throws.", "던진 적이 없습니다."],
  fair_unknown: ["{0} throws came with the imported game and cannot be checked.", "불러온 기보의 {0}번은 확인할 수 없습니다."],

  review: ["Review", "복기"],
  review_wait: ["Reviewing the game…", "복기하는 중…"],
  step: ["Step", "단계"],
  who: ["Player", "선수"],
  move: ["Move", "수"],
  better: ["Best", "최선의 수"],
  worst: ["✗ costly", "✗ 큰 실수"],
  not_best: ["moves that were not best: {0}", "최선이 아닌 수: {0}개"],
  small_loss: ["△ not best", "△ 최선 아님"],
  luck: ["Luck", "운"],
  adds_up: ["luck {0} + skill {1} + opponents {2} = {3} = result {4} − start {5}", "운 {0} + 실력 {1} + 상대 {2} = {3} = 결과 {4} − 시작 {5}"],

  position: ["Position", "국면"],
  position_shape: ["Format: {0}", "형식: {0}"],
  position_go: ["Show", "보기"],
  edit: ["Edit by clicking", "클릭해서 편집"],
  edit_help: ["Click on the board, or edit the text for everything else.", "판을 클릭하세요. 나머지는 위의 텍스트에서 고칩니다."],
  brush_remove: ["remove", "지우기"],
  throws: ["Possible throws", "나올 수 있는 결과"],
  play_from_here: ["Play from here", "여기서부터 두기"],
  go_start: ["Start position", "시작 국면"],
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
  return entry[LANGUAGES.indexOf(language)].replace(/\{(\d)\}/g, (all, index) => String(values[index] ?? ""));
}

// A text from the server, {"en", "ko"} or a plain string, in the language in use.
export function told(text) {
  if (text === null || text === undefined) return "";
  return typeof text === "object" ? text[language] ?? text.en ?? "" : String(text);
}
