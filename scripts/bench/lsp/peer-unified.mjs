import { remark } from "remark";
import { createUnifiedLanguageServer } from "unified-language-server";

createUnifiedLanguageServer({
  configurationSection: "remark",
  defaultProcessor: remark,
  ignoreName: ".remarkignore",
  packageField: "remarkConfig",
  pluginPrefix: "remark",
  plugins: [],
  processorName: "remark",
  processorSpecifier: "remark",
  rcName: ".remarkrc",
});
