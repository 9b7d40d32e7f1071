import { afterAll } from 'bun:test'
import { type Config, readConfig } from '../../core/config.ts'
import { scopes } from '../../core/http/auth/scopes.ts'
import { type RunningServer, serve } from '../../core/serve.ts'
import { freshDatabase, redisOfItsOwn } from './database.ts'
import { answersHeld } from './exact-answers.ts'
import { watchEvents } from './exact-events.ts'
import { withBundles } from './first-start.ts'
import { scratchFolder } from './scratch.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON; tests look into it freely. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  readonly body: any
}

export interface CallOptions {
  /** A bearer credential. */
  readonly as?: string
  readonly body?: unknown
  /** Sent as it is instead of `body`. */
  readonly raw?: string | Uint8Array
  readonly headers?: Record<string, string>
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly token: string
}

export interface Shop {
  readonly owner: Person
  readonly storeId: string
  readonly projectId: string
  /** An API key with every scope. */
  readonly key: string
}

let people = 0

/**
 * A server of its own for one test file, on a fresh database; stopped after the file's last test. What it answers and emits is held against
 * what it declares, to the letter. `others`: how many work beside it, through Redis; `beside` asks them.
 */
export async function startApp(
  overrides: Partial<Config> = {},
  { socket = false, others = 0 }: { socket?: boolean; others?: number } = {},
) {
  const folder = await withBundles(await scratchFolder())
  const settings = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
    ADAPTER_APPROVAL: 'auto',
    ADAPTER_ISOLATION: process.env.ADAPTER_ISOLATION,
    ...redisOfItsOwn(),
  })
  const config: Config = {
    ...settings,
    rateLimitPerMinute: 1e6,
    publicRateLimitPerMinute: 1e6,
    allowPrivateWebhooks: true,
    databasePool: 6,
    // Each looks for work when it begins; where many at once are the matter, the test says so.
    workerConcurrency: 16,
    ...overrides,
  }
  const connection = await freshDatabase()
  const strayEvents = watchEvents()
  const running = await serve(config, { socket, connection })
  afterAll(() => running.stop())
  const strayAnswers = new Set<string>()
  const beside: ReturnType<typeof testClient>[] = []
  for (let at = 0; at < others; at += 1) {
    const other = await serve(config, { socket: false, connection })
    afterAll(() => other.stop())
    beside.push(testClient(other, strayAnswers))
  }
  afterAll(() => {
    const strays = [...strayAnswers, ...strayEvents()]
    if (strays.length > 0) throw new Error(`Not as it is declared:\n${strays.join('\n')}`)
  })
  return { ...testClient(running, strayAnswers), beside }
}

export type TestApp = Awaited<ReturnType<typeof startApp>>

function testClient(running: RunningServer, strays: Set<string>) {
  const strayIn = answersHeld(running.context)
  const origin = running.listening?.url.origin ?? 'http://localhost'

  async function call(method: string, path: string, { as, body, raw, headers = {} }: CallOptions = {}): Promise<Answer> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = new Request(origin + path, {
      method,
      headers: {
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(as && { authorization: `Bearer ${as}` }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
    })
    const response = running.listening ? await fetch(request) : await running.handle(request)
    const { status } = response
    if (isLasting(path, response)) {
      await response.body?.cancel()
      return { status, headers: response.headers, body: '' }
    }
    const text = await response.text()
    if (!isJson(response) || !text) return { status, headers: response.headers, body: text }
    const given = JSON.parse(text)
    const stray = strayIn({ method, path, status, body: given })
    if (stray) strays.add(stray)
    return { status, headers: response.headers, body: given }
  }

  /** Calls and insists on success. */
  async function ok(method: string, path: string, options: CallOptions = {}) {
    const answer = await call(method, path, options)
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  async function person(name = 'Person'): Promise<Person> {
    const email = `person${++people}-${process.pid}@example.dz`
    const { data } = await ok('POST', '/v1/users/auth/signup', { body: { name, email, password: 'correct horse' } })
    return { id: data.user.id, email, token: data.token }
  }

  async function shop(store: Record<string, unknown> = {}): Promise<Shop> {
    const owner = await person('Owner')
    const { data } = await ok('POST', '/v1/stores', {
      as: owner.token,
      body: { name: 'Boutique', countryCode: 'DZ', currencyCode: 'DZD', ...store },
    })
    const { data: project } = await ok('POST', `/v1/stores/${data.id}/ensure-project`, { as: owner.token })
    const { data: key } = await ok('POST', `/v1/projects/${project.id}/api-keys`, {
      as: owner.token,
      body: { name: 'all', scopes },
    })
    return { owner, storeId: data.id, projectId: project.id, key: key.key }
  }

  return { ...running, origin, call, ok, person, shop }
}

/** A live stream lasts for minutes, so its body is not read; `live.ts` reads one. */
const isLasting = (path: string, { headers }: Response) =>
  /\/live(?:\?|$)/.test(path) && headers.get('content-type')?.startsWith('text/event-stream') === true

const isJson = (response: Response) => (response.headers.get('content-type') ?? '').includes('json')
