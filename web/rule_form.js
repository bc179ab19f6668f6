// A form for the rule options of a game: house rules with a title and a sentence, from the game's guide,
// and all other options as they are typed on the command line. text() gives those that differ from the
// default.

import { el } from "./dom.js";
import { getLanguage, pick, say, told } from "./words.js";

// In English the help follows the name of the option, as on the command line; in Korean it stands
// alone.
const optionWords = ({ name, help }) => (getLanguage() === "en" ? `${name.replaceAll("-", " ")}: ${told(help)}` : told(help));

function isOn(value) {
  return value === true || value === "on" || value === "true";
}

const isSwitch = ({ argument, choices }) => argument === null || choices?.join() === "on,off";

export class RuleForm {
  // `houseRules`: { option, title, about, on, off } for a switch between two values, or with `values`
  // instead for a choice; each text as [English, Korean].
  constructor(options, houseRules, onChange) {
    this.onChange = onChange;
    this.fields = options.map((option) => this.field(option, houseRules.find((rule) => rule.option === option.name)));
    const house = this.fields.filter(({ rule }) => rule), other = this.fields.filter(({ rule }) => !rule);
    this.element = el("details", { class: "rules", test: "rules" }, el("summary", {}, say("rules")),
      house.map(({ rule, option, input }) => el("div", { class: "house-rule" }, el("label", { for: input.id }, pick(rule.title)), el("small", {}, pick(rule.about)), input)),
      other.length > 0 && el("details", { test: "advanced", open: house.length === 0 }, el("summary", {}, say("advanced")), other.map(({ option, input }) =>
        el("div", { class: "option" }, el("label", { for: input.id }, optionWords(option), " ", el("code", {}, `--${option.name}`)), input))));
  }

  field(option, rule) {
    const shared = { id: `option-${option.name}`, test: `option-${option.name}`, onchange: this.onChange };
    const initial = option.value ?? "";
    if (rule?.on || isSwitch(option)) {
      const on = rule?.on ?? "on", off = rule?.off ?? "off";
      const input = el("input", { ...shared, type: "checkbox", class: "switch", role: "switch", checked: rule?.on ? String(initial) === on : isOn(initial) });
      const isFlag = option.argument === null;
      return { option, rule, input,
        read: () => (isFlag ? (input.checked ? "" : null) : input.checked ? on : off),
        write: (value) => { input.checked = isFlag ? value !== null && value !== undefined && value !== "off" : String(value) === on; } };
    }
    const choices = rule?.values ?? option.choices;
    if (choices) {
      const list = option.value || rule?.values ? choices : ["", ...choices];
      const words = (value) => (rule?.names?.[value] ? pick(rule.names[value]) : value);
      const input = el("select", shared, list.map((value) => el("option", { value, selected: value === String(initial) }, words(value))));
      return { option, rule, input, read: () => input.value, write: (value) => { input.value = value; } };
    }
    const isNumber = option.argument === "N" && /^\d+$/.test(initial);
    const input = el("input", {
      ...shared, oninput: this.onChange, type: isNumber ? "number" : "text", min: isNumber ? 0 : null, value: initial, placeholder: option.argument,
      autocomplete: "off", spellcheck: "false", autocapitalize: "off",
    });
    return { option, rule, input, read: () => input.value.trim(), write: (value) => { input.value = value; } };
  }

  text() {
    return this.fields.map(({ option, read }) => {
      const value = read();
      if (option.argument === null) return (value !== null) === isOn(option.value) ? "" : `--${option.name}`;
      return value === "" || value === String(option.value ?? "") ? "" : `--${option.name} ${value}`;
    }).filter(Boolean).join(" ");
  }

  // Whether a preset is chosen.
  hasPreset() {
    return this.fields.some(({ option, input }) => option.choices && !option.value && input.value);
  }

  // Shows the rules that `text` gives.
  fill(text) {
    const words = text.split(/\s+/);
    for (const { option, write } of this.fields) {
      const at = words.indexOf(`--${option.name}`);
      if (option.argument === null) write(at < 0 ? (isOn(option.value) ? "" : null) : "");
      else write(at < 0 ? option.value ?? "" : words[at + 1]);
    }
  }
}
