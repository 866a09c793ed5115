-- A session of Neovim with `map lsp`, by the functions that its users call. Prints what came of each.
-- MAP is the server, TEXT the file.

local function say(...)
  io.stdout:write(table.concat({ ... }, " "), "\n")
end

-- Fails when something that has to come does not; nothing else depends on the time.
local function await(what, is_there)
  if not vim.wait(240000, is_there, 20) then
    error("in vain: " .. what)
  end
end

local function main()
  vim.cmd("edit " .. vim.env.TEXT)
  local client = assert(vim.lsp.start_client({ name = "map", cmd = { vim.env.MAP, "lsp" } }))
  assert(vim.lsp.buf_attach_client(0, client))
  await("the client", function()
    return next(vim.lsp.buf_get_clients(0)) ~= nil and vim.lsp.buf_get_clients(0)[client].initialized
  end)
  local server = vim.lsp.get_client_by_id(client)

  local function ask(method, params)
    local answer = assert(server.request_sync(method, params, 240000, 0), method)
    assert(not answer.err, vim.inspect(answer.err))
    return answer.result
  end

  local function at(text)
    local line, column = unpack(vim.fn.searchpos(text, "cw"))
    assert(line > 0, text)
    vim.api.nvim_win_set_cursor(0, { line, column - 1 })
    return vim.lsp.util.make_position_params(0, server.offset_encoding)
  end

  -- A mistake, and its repair.
  at("recordBid(\\$offer, \\$asking)$")
  vim.cmd("normal! xiR")
  await("a diagnostic", function() return #vim.diagnostic.get(0) > 0 end)
  for _, it in ipairs(vim.diagnostic.get(0)) do
    say("diagnostic", it.lnum + 1, it.code, (it.message:gsub("\n.*", "")))
  end
  vim.cmd("undo")
  await("no diagnostic", function() return #vim.diagnostic.get(0) == 0 end)
  say("no diagnostics")

  local hover = ask("textDocument/hover", at("sold(_"))
  say("hover", (hover.contents.value:gsub("\n", "\n  ")))

  local rename = at("unsold")
  rename.newName = "nobody_bid"
  vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", rename), server.offset_encoding)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    if line:find("nobody_bid") or line:find("unsold") then
      say("renamed", number, vim.trim(line))
    end
  end

  at("keepBidding(\\$asking)$")
  local position = vim.lsp.util.make_position_params(0, server.offset_encoding)
  position.position.character = position.position.character + #"keep"
  local items = vim.lsp.util.extract_completion_items(ask("textDocument/completion", position))
  local labels = {}
  for _, item in ipairs(items) do
    table.insert(labels, item.label)
  end
  table.sort(labels)
  say("completion", table.concat(labels, " "))

  -- The code lens above the scene, chosen as by a person.
  vim.lsp.codelens.refresh()
  await("code lenses", function() return #vim.lsp.codelens.get(0) > 0 end)
  vim.ui.select = function(lenses, options, choose)
    for index, lens in ipairs(lenses) do
      if options.format_item(lens):find("Verify") then
        return choose(lens, index)
      end
    end
  end
  at("english_auction\\[")
  vim.lsp.codelens.run()
  local function verdicts()
    return vim.tbl_filter(function(it) return it.source == "map verify" end, vim.diagnostic.get(0))
  end
  await("a verdict", function() return #verdicts() > 0 end)
  for _, it in ipairs(verdicts()) do
    say("verdict", it.lnum + 1, (it.message:gsub("\n", "\n  ")))
  end

  vim.lsp.stop_client(client)
  await("goodbye", function() return next(vim.lsp.get_active_clients()) == nil end)
  say("goodbye")
end

local fine, why = pcall(main)
if not fine then
  say("failed", why)
  vim.cmd("cquit!")
end
vim.cmd("quitall!")
