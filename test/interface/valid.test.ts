import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Answer, startApp } from '../support/app.ts'
import { bodySchema, type Described, describedBy, parametersOf, readDocument, takes } from '../support/openapi.ts'
import { pathOf, type RichTenant, richTenant } from '../support/rich-tenant.ts'
import { often } from '../support/thorough.ts'
import { disruption } from './tried-order.ts'
import { unstatableReason } from './unstatable.ts'
import { validValue } from './valid-values.ts'

/** Requests per operation. `bun run fuzz --valid` sets more. */
const RUNS = Number(process.env.VALID_RUNS ?? often({ quick: 3, thorough: 10 }))
/** Fixed, so that the same code gives the same result. `bun run fuzz --valid` draws new ones. */
const SEED = Number(process.env.VALID_SEED ?? 56_595_128)
/** Prints what was refused. */
const SHOWS = process.env.VALID_RUNS !== undefined
const TIME_MS = Math.max(600_000, RUNS * 30_000)

/** Where apps and browsers are answered as OAuth says. */
const OF_OAUTH = /^\/(v1\/)?oauth\/|^\/mcp$/
/** Where a browser comes back from a sign-in elsewhere, or a gateway calls: a state or a number that they were given makes it work. */
const COMES_BACK = /callback$|^\/v1\/oauth2\/\{provider\}\/sheets$|^\/v1\/actions\/\w+Webhook$/
/** What only an answer of the same list gives; no schema tells one from another. */
const GIVEN_BY_ANSWERS = new Set(['cursor'])

/** Shops that are looked up by any name. */
const shops = Bun.serve({
  port: 0,
  fetch: () => Response.json({ products: [], data: [], meta: { pagination: { current_page: 1, total_pages: 1 } } }),
})
afterAll(() => shops.stop(true))
const at = shops.url.origin
const app = await startApp({ simulators: { '*.myshopify.com': at, '*.youcan.shop': at } })
const tenant = await richTenant(app)
/** Sent by clients, with JSON or nothing: what a provider or a platform sends, and what a form carries, is known to them alone. */
const operations = describedBy(await readDocument(app)).filter((described) => {
  const { path, operation } = described
  return (
    !OF_OAUTH.test(path) &&
    !COMES_BACK.test(path) &&
    operation['x-callback'] !== true &&
    (operation.requestBody === undefined || bodySchema(described) !== undefined)
  )
})
operations.sort((a, b) => disruption(a) - disruption(b))

interface Wire {
  readonly path: string
  readonly body: unknown
}

function query(of: RichTenant, described: Described): fc.Arbitrary<string> {
  const pairs = parametersOf(described, 'query')
    .filter(({ name }) => !GIVEN_BY_ANSWERS.has(name))
    .map(({ name, required, schema }) => {
      const pair = validValue(of, name, schema).map((value): [string, string][] => [[name, String(value).toWellFormed()]])
      const none = fc.constant<[string, string][]>([])
      return required || name === 'storeId' ? pair : fc.oneof({ weight: 4, arbitrary: none }, { weight: 1, arbitrary: pair })
    })
  return fc.tuple(...pairs).map((all) => {
    const given = all.flat()
    return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
  })
}

function requestsOf(described: Described): fc.Arbitrary<Wire> {
  const schema = bodySchema(described)
  const whole = schema ? validValue(tenant, 'body', schema) : fc.constant(undefined)
  return fc.record({ path: query(tenant, described).map((asked) => pathOf(tenant, described) + asked), body: whole })
}

async function credentialFor(described: Described): Promise<string | undefined> {
  if (!described.operation.security?.length) return undefined
  if (/^\/v1\/users\/auth/.test(described.path)) return (await app.person()).token
  return takes(described, 'apiKey') ? tenant.key : tenant.as
}

const counts = { sent: 0, answered: new Map<string, number>() }
const refused = new Map<string, { count: number; sample: string; reason: string | null }>()
const reasons = new Map<string, number>()
const codes = new Map<string, number>()
const add = (to: Map<string, number>, key: string) => to.set(key, (to.get(key) ?? 0) + 1)

/** The first value that was refused. */
function firstOf({ body }: Answer): { path: string; message: string } {
  const [first] = (body?.error?.details ?? []) as { path: string; message: string }[]
  return first ?? { path: String(body?.error?.code), message: String(body?.error?.message) }
}

/** Places of what was refused, whatever the number of the item. */
function kindOf(answer: Answer): string {
  const { path, message } = firstOf(answer)
  return `${path.replace(/\/\d+/g, '/*')}: ${message}`
}

function note(described: Described, wire: Wire, answer: Answer) {
  counts.sent += 1
  const { status, body } = answer
  add(counts.answered, `${status}`)
  if (status === 422) add(codes, `${body?.error?.code}`)
  if (status !== 400 && (status !== 422 || isTold(described, answer))) return
  const reason = unstatableReason(firstOf(answer).message)
  if (reason !== null) add(reasons, reason)
  const key = `${status} ${described.method} ${described.path} ${kindOf(answer)}`
  const known = refused.get(key)
  const sample = `${wire.path} ${JSON.stringify(wire.body)}`.slice(0, 400)
  refused.set(key, { count: (known?.count ?? 0) + 1, sample: known?.sample ?? sample, reason })
}

/** A refusal that no schema can state is told of its operation by its code. */
function isTold({ operation }: Described, { body }: Answer): boolean {
  const told = operation.responses[422]
  return told !== undefined && (typeof body === 'string' || told.description.includes(`\`${body?.error?.code}\``))
}

test(
  'of requests that the description allows, fewer than 2 % are refused for what a schema could state',
  async () => {
    for (const described of operations) {
      const as = await credentialFor(described)
      for (const wire of fc.sample(requestsOf(described), { seed: SEED, numRuns: RUNS })) {
        const bodiless = described.method === 'GET' || wire.body === undefined
        note(described, wire, await app.call(described.method, wire.path, { ...(as && { as }), ...(!bodiless && { body: wire.body }) }))
      }
    }
    const sorted = [...refused].sort(([, a], [, b]) => b.count - a.count)
    const sum = (some: typeof sorted) => some.reduce((total, [, { count }]) => total + count, 0)
    const statable = sorted.filter(([, { reason }]) => reason === null)
    const share = (count: number) => `${count} of ${counts.sent} (${((100 * count) / counts.sent).toFixed(2)} %)`
    if (SHOWS) {
      for (const [kind, { count, sample, reason }] of sorted)
        console.log(`${String(count).padStart(5)}  ${kind}${reason === null ? '' : ` [${reason}]`}\n         ${sample}`)
      console.log('by status', Object.fromEntries([...counts.answered].sort()))
      console.log('422 by documented code', Object.fromEntries([...codes].sort(([, a], [, b]) => b - a)))
      console.log('400 for what no schema states', Object.fromEntries([...reasons].sort(([, a], [, b]) => b - a)))
      console.log(`Refused in all: ${share(sum(sorted))}; for what a schema could state: ${share(sum(statable))}.`)
    }
    expect(sum(statable) / counts.sent).toBeLessThan(0.02)
  },
  TIME_MS,
)
