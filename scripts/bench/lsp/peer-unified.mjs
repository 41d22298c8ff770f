import { remark } from "remark";
import { createUnifiedLanguageServer } from "unified-language-server";

void remark;
createUnifiedLanguageServer({
  configurationSection: "remark",
  ignoreName: ".remarkignore",
  packageField: "remarkConfig",
  pluginPrefix: "remark",
  plugins: ["remark-parse", "remark-stringify"],
  processorName: "remark",
  processorSpecifier: "remark",
  rcName: ".remarkrc",
});
