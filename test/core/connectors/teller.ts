import { afterAll } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GatewayEvent } from '../../../plugins/payment/model.ts'
import { scratchFolder } from '../../support/scratch.ts'

const codeOf = (more: string) => `import { AdapterError, ask, jsonIn, payment } from 'serai/payment'
const reasons = { 401: 'unauthorized', 422: 'refused' }
const call = async (context, path, json) => {
  const answer = await ask(context, 'Teller', 'https://api.teller.example' + path, json ? { method: 'POST', json } : {})
  if (answer.ok) return answer.value
  throw new AdapterError(reasons[answer.status] ?? 'unavailable', 'Teller answered ' + answer.status + '.')
}
export default payment({
  slug: 'teller', label: 'Teller', net: ['api.teller.example'], credentials: {}, settings: {}, rateWindows: [],
  unit: 'minor', refunds: { partial: true, exactlyOnce: 'idempotencyKey' },
  testConnection: () => ({}),
  createCheckout: (context, asked) => call(context, '/checkouts', asked),
  read: (context, externalId) => call(context, '/checkouts/' + externalId),
  refund: (context, asked) => call(context, '/refunds', asked),
  webhook: { receive: ({ body }) => ({ outcome: 'events', signed: true, events: [jsonIn(new TextDecoder().decode(body))].flat() }) },
  ${more}
})`

export type Said = Omit<GatewayEvent, 'externalId'>

/** A gateway that says whatever it is told to say, when it is asked and when it calls. `more`: of its definition. */
export async function startTeller(more = '') {
  const folder = await scratchFolder()
  await mkdir(join(folder, 'teller'), { recursive: true })
  await writeFile(join(folder, 'teller/index.ts'), codeOf(`currencies: ['DZD'], ${more}`))
  const says = new Map<string, Said>()
  const state = {
    captured: [] as string[],
    asked: [] as { amount: number; currency: string }[],
    checkouts: null as null | (() => Response | Promise<Response>),
    refunds: () => Response.json({ externalId: 'r1', status: 'done' }),
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/refunds') return state.refunds()
      const [, , named = '', verb] = pathname.split('/')
      if (verb === 'capture') {
        state.captured.push(named)
        says.set(named, { status: 'paid' })
      }
      if (named) return Response.json({ externalId: named, ...says.get(named) })
      const asked = (await request.json()) as { paymentId: string; amount: number; currency: string }
      state.asked.push(asked)
      const answer = await state.checkouts?.()
      if (answer) return answer
      const externalId = asked.paymentId.slice(4)
      says.set(externalId, { status: 'open' })
      return Response.json({ externalId, url: 'https://teller.example/pay' })
    },
  })
  afterAll(() => server.stop(true))
  return { says, state, with: { adapterDirs: [folder], simulators: { 'api.teller.example': `http://127.0.0.1:${server.port}` } } }
}
