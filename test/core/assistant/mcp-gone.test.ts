import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { guarded } from './mcp-guarded.ts'

const app = await startApp({}, { socket: true })
await app.person('The administrator')
const { ok, call, context } = app
const { sql, webhookOutbound } = context
const main = await app.shop()
const as = main.owner.token
const PATH = '/v1/chat/mcp-servers'

/** Deletes the server at the moment when its token endpoint is called. */
function takenAwayAt(id: string, path: string) {
  const outbound: typeof webhookOutbound = async (request) => {
    if (new URL(request.url).pathname === path) await sql`delete from mcp_servers where id = ${id}`
    return webhookOutbound(request)
  }
  Object.assign(context, { webhookOutbound: outbound })
}

test.each([
  ['begun', '/register'],
  ['ended', '/token'],
])('a sign-in that is %s at a server which is taken away meanwhile finds none', async (_, path) => {
  const there = guarded({ clients: 'registered' })
  const body = { storeId: main.storeId, auth: 'oauth', name: 'Guarded', url: there.mcp }
  const { id } = (await ok('POST', PATH, { as, body })).data
  const begin = () => call('POST', `${PATH}/${id}/oauth/start`, { as, body: {} })
  const begun = path === '/token' ? await begin() : null
  takenAwayAt(id, path)
  const answer = begun
    ? await call('POST', `${PATH}/${id}/oauth/complete`, { as, body: there.allow(begun.body.data.authorizationUrl).back })
    : await begin()
  Object.assign(context, { webhookOutbound })
  expect([answer.status, answer.body.error?.code]).toEqual([404, 'not_found'])
  expect(await sql`select 1 from mcp_sign_ins where server_id = ${id}`).toBeEmpty()
})
