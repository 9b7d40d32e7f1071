import { join } from 'node:path'
import type { Config } from '../../../core/config.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { type Answer, startApp, type TestApp } from '../../support/app.ts'
import { readOutbox } from '../../support/outbox.ts'
import { CLIENT, type Platform } from './oauth-platform.ts'

const hosts = ['api.passport.example', 'login.passport.example', 'lina.shops.passport.example']
export const settingsFor = (platform: Platform): Partial<Config> => ({
  adapterDirs: [join(import.meta.dir, '../../support/adapters')],
  simulators: Object.fromEntries(hosts.map((host) => [host, platform.url])),
})

export const startPassport = (platform: Platform, isolation: Config['adapterIsolation'] = 'none') =>
  startApp({ ...settingsFor(platform), adapterIsolation: isolation }, { socket: true })

/** A shop whose people sign in at the platform, and what their browsers do. */
export async function passportShop(app: TestApp, platform: Platform) {
  const { call, ok, shop, origin, context } = app
  const made = await shop()
  const base = `/v1/stores/${made.storeId}/integrations`
  const as = made.owner.token

  const put = async (key = 'passport', credentials: object = CLIENT) =>
    (await ok('PUT', `${base}/${key}`, { as, body: { enabled: true, credentials } })).data
  const read = async (key = 'passport') => (await ok('GET', `${base}/${key}`, { as })).data
  const start = async (key = 'passport', body: object = {}): Promise<string> =>
    (await ok('POST', `${base}/${key}/oauth/start`, { as, body })).data.url

  /** The person's browser at the platform, which sends it back. */
  async function consent(url: string): Promise<string> {
    const { pathname, search } = new URL(url)
    const answer = await fetch(`${platform.url}${pathname}${search}`, { redirect: 'manual' })
    const location = answer.headers.get('location')
    if (!location) throw new Error(`the platform answered ${answer.status}: ${await answer.text()}`)
    return location
  }

  /** The same browser, back at this server. */
  async function comeBack(location: string, credential?: string): Promise<Answer> {
    const headers = { ...(credential && { authorization: `Bearer ${credential}` }) }
    const answer = await fetch(location, { redirect: 'manual', headers })
    return { status: answer.status, headers: answer.headers, body: await answer.text() }
  }

  const signIn = async (key = 'passport', body: object = {}) => comeBack(await consent(await start(key, body)))
  const states = (key = 'passport', server = { call }) => server.call('GET', `${base}/${key}/wilayas`, { as })
  const row = async () =>
    (
      await context.sql`select t.* from oauth_tokens t join integrations i on i.id = t.connection_id where i.project_id = ${projectIdOf(made.storeId)}`
    )[0]!
  /** Letters to the owner. */
  const letters = async () =>
    (await readOutbox(context.config.dataDir)).filter(({ to, subject }) => to === made.owner.email && !subject.includes('Confirm'))

  return { ...made, app, base, as, origin, put, read, start, consent, comeBack, signIn, states, row, letters }
}
