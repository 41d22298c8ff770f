import type { SemanticTokensLegend } from "vscode-languageserver";

/** `concept` is our own type; the VS Code extension gives it a color, other editors by their theme. */
export const semanticTokensLegend: SemanticTokensLegend = {
  tokenTypes: ["concept"],
  tokenModifiers: ["pointer", "contested", "withheld", "ceremonial"],
};
