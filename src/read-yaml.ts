export { parse } from "yaml";
