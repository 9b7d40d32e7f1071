import { type Call, runSimulator, type Simulator, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'

/** A payment as Guiddini keeps it. */
export interface Kept {
  readonly orderNumber: string
  /** What was asked for, as it came. */
  readonly asked: Readonly<Record<string, unknown>>
  readonly amount: number
  status: string
}

interface State {
  amountAs: 'text' | 'number' | 'decimals' | 'without'
  /** The word for what is paid. */
  paidAs: 'paid' | 'successful' | 'PAID'
  /** The calls that are sent on to somewhere else, as a pattern over `METHOD /path`. */
  redirects: string | undefined
}

export interface Guiddini extends Simulator {
  readonly credentials: { readonly appKey: string; readonly appSecret: string }
  /** May be changed while it runs, and is as usual once it is calm. */
  readonly state: State
  /** Oldest first. */
  payments(): Kept[]
  /** What becomes of a payment; paid unless said. */
  move(orderNumber: string, status?: string): Kept
}

const credentials = { appKey: 'APP-simulator-0A1B2C3D', appSecret: 'SEC-simulator-4E5F6A7B8C' }

const amounts: Readonly<Record<State['amountAs'], (amount: number) => unknown>> = {
  text: String,
  number: (amount) => amount,
  decimals: (amount) => amount.toFixed(2),
  without: () => undefined,
}

const LEAST = 50
/** Nobody's real one. */
const MOST = 1_000_000

const said = (status: number, body: unknown) => Response.json(body, { status })
const refused = (field: string, words: string) => said(422, { message: words, errors: { [field]: [words] } })

/** Guiddini's side of the wire: no place for a name of ours, one way back for all, and nobody is told of anything. */
export function startGuiddini(options: SimulatorOptions = {}): Guiddini {
  const usual: State = { amountAs: 'text', paidAs: 'paid', redirects: undefined }
  const state = { ...usual }
  const kept = new Map<string, Kept>()

  function initiate(asked: Kept['asked']): Response {
    const amount = Number(asked.amount)
    if (!/^\d+(\.\d{1,2})?$/.test(String(asked.amount))) return refused('amount', 'The amount field must have 0-2 decimal places.')
    if (amount < LEAST) return refused('amount', `The amount field must be at least ${LEAST}.`)
    if (amount > MOST) return refused('amount', `The amount field must not be greater than ${MOST}.`)
    if (asked.language !== undefined && !['fr', 'ar', 'en'].includes(String(asked.language)))
      return refused('language', 'The selected language is invalid.')
    const orderNumber = `GP${crypto.randomUUID().replaceAll('-', '').slice(0, 8).toUpperCase()}`
    kept.set(orderNumber, { orderNumber, asked, amount, status: 'processing' })
    const form_url = `https://cib.satim.dz/payment/merchants/merchant1/payment.html?mdOrder=${orderNumber}`
    const attributes = { amount: asked.amount, form_url }
    const meta = { code: 'PAYMENT_INITIATED', message: 'Payment initiated successfully.' }
    return said(201, { data: { type: 'transaction', id: orderNumber, attributes }, meta })
  }

  function show(orderNumber: string): Response {
    const one = kept.get(orderNumber)
    if (!one) return said(404, { message: 'Transaction not found.', meta: { code: 'TRANSACTION_NOT_FOUND' } })
    const isPaid = one.status === 'paid'
    const attributes = {
      order_number: orderNumber,
      amount: amounts[state.amountAs](one.amount),
      status: isPaid ? state.paidAs : one.status,
      ...(isPaid && { approval_code: '913180', pan: '628058****7215', message: 'Votre paiement a été accepté' }),
    }
    return said(200, { data: { type: 'transaction', id: orderNumber, attributes }, meta: { code: 'TRANSACTION_FOUND' } })
  }

  function answer({ method, path, query, headers, body }: Call): Response {
    const name = `${method} ${path}`
    if (state.redirects !== undefined && new RegExp(state.redirects).test(name))
      return new Response(null, { status: 302, headers: { location: '/elsewhere' } })
    if (headers.get('x-app-key') !== credentials.appKey || headers.get('x-app-secret') !== credentials.appSecret)
      return said(401, { message: 'Unauthenticated.' })
    if (name === 'POST /api/payment/initiate') return initiate(JSON.parse(body) as Kept['asked'])
    return name === 'GET /api/payment/show' ? show(query.get('order_number') ?? '') : said(404, { message: 'Not Found.' })
  }

  function move(orderNumber: string, status = 'paid'): Kept {
    const one = kept.get(orderNumber)
    if (!one) throw new Error(`There is no payment ${orderNumber}.`)
    return Object.assign(one, { status })
  }

  const simulator = startSimulator(options, {
    faultsOn: '^POST /api/payment/initiate$',
    answer,
    control: {
      'GET account': () => ({ credentials }),
      'GET payments': () => [...kept.values()],
      'POST move': ({ id, status }) => move(String(id), typeof status === 'string' ? status : undefined),
    },
  })
  return {
    ...simulator,
    state,
    calm() {
      simulator.calm()
      Object.assign(state, usual)
    },
    credentials,
    payments: () => [...kept.values()],
    move,
  }
}

if (import.meta.main) runSimulator(startGuiddini)
