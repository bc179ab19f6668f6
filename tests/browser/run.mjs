// The page in a real browser: every game to its end, several browsers in one game, kills, languages,
// analysis, reviews, and what it looks like at every size.
//
//   node run.mjs FOLDER [--site SITE] [--pictures DIR] [NAME ...]      FOLDER holds malpan
//
// With --site, the page that `make site` has left in SITE, without malpan.
//
// Closes with `browser: N passed, N failed`.

import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as harness from "./harness.mjs";

const words = process.argv.slice(2);
const malpan = join(resolve(words.shift()), "malpan");
let pictures = null, site = null;
if (words[0] === "--site") site = resolve(words.splice(0, 2)[1]);
if (words[0] === "--pictures") [, pictures] = words.splice(0, 2);

// What is about links, tables and the server itself is left out with a site.
const subjects = site ? ["site", "play", "analysis", "learn", "layout"] : ["play", "people", "server", "analysis", "learn", "layout"];

let passed = 0, failed = 0;

async function run(name, test) {
  const start = Date.now();
  let picture = null;
  try {
    await test();
    harness.check(harness.complaints.length === 0, "complaints:", harness.complaints);
    passed++;
    console.log(`ok      ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}: ${error.stack}`);
    picture = join(tmpdir(), `malpan-failed-${failed}.png`);
  }
  harness.complaints.length = 0;
  await harness.closeContexts(picture);
}

await harness.startAll(malpan, pictures, site);
for (const subject of subjects) {
  const { tests } = await import(`./test_${subject}.mjs`);
  for (const [name, test] of Object.entries(tests))
    if (words.length === 0 || words.some((word) => name.includes(word) || subject === word)) await run(name, test);
}
const code = await harness.stopAll();
if (code !== 0) {
  failed++;
  console.log(`FAILED  the server ended with ${code}`);
}
rmSync(harness.server.data, { recursive: true });
console.log(`browser: ${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
