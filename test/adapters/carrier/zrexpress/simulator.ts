import { runSimulator, type Simulator, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { answer } from './simulator/api.ts'
import { shown } from './simulator/parcels.ts'
import { newWebhookSecret } from './simulator/webhooks.ts'
import { createWorld, usualQuirks, type World } from './simulator/world.ts'

export type { Quirks } from './simulator/world.ts'

/** The carrier's side of the wire as far as it is known, with its traps. */
export interface ZrExpress extends Simulator, World {
  /** Ends all misbehaviour and oddities; what was sent stays. */
  reset(): void
}

const usual = { apiKey: 'zr-sim-key-a1b2c3d4e5f6', tenant: '6f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b' }
const text = (value: unknown) => (value === undefined ? undefined : String(value))

export function startZrExpress(options: SimulatorOptions = {}): ZrExpress {
  const now = options.now ?? Date.now
  const world = createWorld({ ...usual, webhookSecret: newWebhookSecret() }, now)
  const { books, money, webhooks, quirks } = world
  const simulator = startSimulator(options, {
    faultsOn: '^POST /api/v1/parcels(/bulk)?$',
    answer: (call) => answer(world, call),
    control: {
      'GET account': () => ({ credentials: world.credentials }),
      'GET parcels': () => books.all().map(shown),
      'POST advance': ({ tracking, state, at }) => shown(books.advance(String(tracking), String(state), text(at))),
      'POST situate': ({ tracking, slug, at }) => shown(books.situate(String(tracking), String(slug), text(at))),
      'POST turn': ({ tracking, at }) => shown(books.turn(String(tracking), text(at))),
      'POST collect': () => books.collect(),
      'POST pay': ({ tracking, payment }) => money.pay(String(tracking), String(payment)),
      'POST quirks': (body) => Object.assign(quirks, body),
      'POST callback': async ({ url, type, tracking }) => {
        const event = webhooks.event(String(type), String(tracking))
        return webhooks.deliver(
          String(url),
          webhooks.sign(new TextEncoder().encode(JSON.stringify(event)), { secrets: [webhooks.secretFor(String(url))] }),
        )
      },
    },
  })
  return {
    ...simulator,
    ...world,
    reset() {
      simulator.calm()
      Object.assign(quirks, usualQuirks)
      for (const { id } of webhooks.endpoints()) webhooks.unsubscribe(id)
    },
  }
}

if (import.meta.main) runSimulator(startZrExpress)
