import { afterAll, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

const TOKEN = 'tok_0123456789abcdef'
const PASSWORD = 'the password of a merchant'
const seen: { path: string; body: string; authorization: string | null }[] = []
/** Carriers that give a token at an address which only they tell, and take it elsewhere. */
const side = Bun.serve({
  port: 0,
  async fetch(request) {
    const [{ pathname }, body] = [new URL(request.url), await request.text()]
    seen.push({ path: pathname, body, authorization: request.headers.get('authorization') })
    if (request.method !== 'POST')
      return Response.json(pathname.includes('wilayas') ? [[16, 'Alger']] : { success: true, message: 'VALID_TOKEN' })
    const said = JSON.parse(body) as Record<string, string>
    if (!Object.values(said).includes(PASSWORD)) return Response.json({ message: 'Wrong.' }, { status: 401 })
    return Response.json({ data: { token: TOKEN } })
  },
})
afterAll(() => side.stop(true))
const app = await startApp({ simulators: { 'backend.maystro-delivery.com': side.url.origin, 'demo.ecotrack.dz': side.url.origin } })
const { call, ok } = app
const shop = await app.shop()
const { storeId } = shop
const as = shop.owner.token
const other = await app.shop()

const brands = [
  ['createMaystroToken', 'maystro', 'email', {}, '/api/'],
  ['createEcotrackApiKey', 'ecotrack', 'username', { host: 'demo.ecotrack.dz' }, '/api/v1/'],
] as const

test.each(brands)('%s connects by a password that is kept nowhere, where somebody says how', async (action, slug, name, own, below) => {
  const ask = (body: object = {}, credential = as) =>
    call('POST', `/v1/actions/${action}`, { as: credential, body: { storeId, [name]: 'lina@example.dz', password: PASSWORD, ...body } })
  const untold = await ask({ settings: own })
  expect([untold.status, untold.body.error.code]).toEqual([422, 'carrier_refused'])
  expect(untold.body.error.message).toContain('does not document')
  expect((await ask({ settings: { nothing: 'x' } })).status).toBe(422)
  expect((await ask({ settings: { ...own, signInPath: '../../elsewhere' } })).status).toBe(422)
  const settings = { ...own, signInPath: 'auth/login', signInNames: `${name},secret`, signInAnswer: 'data.token' }
  const wrong = await ask({ settings, password: 'another' })
  expect(wrong.status).toBeGreaterThanOrEqual(400)
  expect(JSON.stringify(wrong.body)).not.toContain('another')
  const { status, body } = await ask({ settings })
  expect([status, body.data.connected]).toEqual([200, true])
  expect(JSON.parse(seen.findLast(({ path }) => path === `${below}auth/login`)!.body)).toEqual({
    [name]: 'lina@example.dz',
    secret: PASSWORD,
  })
  const connection = await ok('GET', `/v1/stores/${storeId}/integrations/${slug}`, { as })
  expect(connection.data).toMatchObject({ id: body.data.connectionId, enabled: true, settings: { signInPath: 'auth/login' } })
  expect(JSON.stringify([connection.data, body])).not.toContain(TOKEN)
  expect(JSON.stringify([connection.data, body])).not.toContain(PASSWORD)
  expect(seen.some(({ authorization }) => authorization?.includes(TOKEN))).toBe(true)
  expect((await ask({}, other.owner.token)).status).toBe(404)
  expect((await call('POST', `/v1/actions/${action}`, { body: {} })).status).toBe(401)
  expect((await ask({ password: '' })).status).toBe(400)
  const answers = await Promise.all(Array.from({ length: 4 }, () => ask()))
  expect(answers.map((answer) => answer.status)).toContain(429)
})
