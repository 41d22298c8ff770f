-- Drives Neovim without a screen, through the plugin's form for 0.7 to 0.10. Prints one JSON object.
local env = vim.env
vim.opt.runtimepath:append(env.PLUGIN)
local told = {}
require("iaip_dsl").setup({ cmd = vim.fn.json_decode(env.SERVER) })
vim.cmd("filetype on")
vim.cmd("edit " .. vim.fn.fnameescape(env.DOCUMENT))
local buffer = vim.api.nvim_get_current_buf()

local function client()
  for _, it in pairs(vim.lsp.buf_get_clients(buffer)) do
    return it
  end
end

vim.wait(20000, function()
  local it = client()
  return it ~= nil and it.initialized == true
end, 10)
local it = client()
local params = {
  textDocument = { uri = vim.uri_from_bufnr(buffer) },
  position = { line = tonumber(env.LINE), character = tonumber(env.COLUMN) },
}
if it then
  told.server = it.name
  local hover = it.request_sync("textDocument/hover", params, 20000, buffer)
  told.hover = hover and hover.result and hover.result.contents.value
  local definition = it.request_sync("textDocument/definition", params, 20000, buffer)
  told.definition = definition and definition.result and definition.result[1] and definition.result[1].uri
  vim.wait(20000, function()
    return #vim.diagnostic.get(buffer) > 0
  end, 10)
  told.diagnostics = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(told.diagnostics, string.format("%d:%d-%d %s", diagnostic.lnum, diagnostic.col, diagnostic.end_col, diagnostic.message))
  end
end
vim.fn.writefile({ vim.fn.json_encode(told) }, env.OUT)
vim.lsp.stop_client(vim.lsp.get_active_clients())
vim.cmd("qall!")
