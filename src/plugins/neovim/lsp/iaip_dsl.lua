-- Neovim 0.11 and later: put this file into `lsp/` on the runtime path, then `vim.lsp.enable("iaip_dsl")`.
-- To share one server (`iaip-dsl lsp --listen 127.0.0.1:7332`): `cmd = vim.lsp.rpc.connect("127.0.0.1", 7332)`.
return {
  cmd = { "iaip-dsl", "lsp", "--stdio" },
  filetypes = { "markdown", "text", "yaml" },
  root_markers = { { ".iaip-dsl.yaml", ".iaip-dsl.yml" }, ".git" },
  settings = { ["iaip-dsl"] = {} },
}
