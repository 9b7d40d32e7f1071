import type { Call } from '../../../../support/simulator/simulator.ts'
import type { Books, Json } from './books.ts'
import { isTold, type Spelling, shown } from './spelling.ts'

export interface Account {
  readonly userName: string
  readonly password: string
  readonly terminalId: string
}

export interface ApiState extends Spelling {
  /** The calls that are sent on to somewhere else, as a pattern over `METHOD /path`. */
  redirects: string | undefined
}

type Form = Readonly<Record<string, string>>

const LANGUAGES = ['AR', 'FR', 'EN', 'ar', 'fr', 'en']
const between = (value: string | undefined, least: number, most: number) => Number(value) >= least && Number(value) <= most

/** What is wrong with an order, as the first of these that does not hold: its code and its words. */
function faultIn(form: Form, params: Json | undefined, { terminalId }: Account): readonly [code: number, words: string] | undefined {
  const { orderNumber = '', amount = '', returnUrl = '', failUrl = '', language = '', description = '' } = form
  const missing = ['orderNumber', 'amount', 'currency', 'returnUrl', 'language', 'jsonParams'].find((name) => !form[name])
  const rules: readonly (readonly [holds: boolean, code: number, words: string])[] = [
    [missing === undefined, 4, `Missing required parameter: ${missing}`],
    [form.currency === '012', 3, 'Unknown currency'],
    [/^[A-Za-z0-9]{1,10}$/.test(orderNumber), 5, 'orderNumber has an incorrect value'],
    [/^\d+$/.test(amount) && Number(amount) % 100 === 0, 5, 'amount has an incorrect value'],
    [Number(amount) >= 5000, 5, 'amount is below the minimum of 50 DA'],
    [Number(amount) <= 100_000_000, 5, 'amount is over the maximum of the terminal'],
    [LANGUAGES.includes(language), 5, 'language has an incorrect value'],
    [[returnUrl, failUrl, description].every((words) => words.length <= 512), 5, 'A value is too long'],
    [
      form.sessionTimeoutSecs === undefined || between(form.sessionTimeoutSecs, 600, 86_400),
      5,
      'sessionTimeoutSecs has an incorrect value',
    ],
    [params !== undefined, 5, 'jsonParams is invalid'],
    [params?.force_terminal_id === terminalId, 5, 'force_terminal_id has an incorrect value'],
    [between(String(params?.udf1 ?? '').length.toString(), 1, 20), 4, 'Missing required parameter: udf1'],
    [['udf2', 'udf3', 'udf4', 'udf5'].every((name) => String(params?.[name] ?? '').length <= 20), 5, 'jsonParams is invalid'],
  ]
  const broken = rules.find(([holds]) => !holds)
  return broken && [broken[1], broken[2]]
}

function jsonIn(words: string | undefined): Json | undefined {
  try {
    return JSON.parse(words ?? '') as Json
  } catch {
    return undefined
  }
}

/** As it answers a call: with a form or a query, always with status 200. */
export function answer(books: Books, account: Account, state: ApiState, call: Call): Response {
  if (state.redirects !== undefined && new RegExp(state.redirects).test(`${call.method} ${call.path}`))
    return new Response(null, { status: 302, headers: { location: '/elsewhere' } })
  const form = Object.fromEntries(call.method === 'POST' ? new URLSearchParams(call.body) : call.query)
  const path = call.path.replace('/payment/rest/', '')
  const act = acts[path]
  if (!act) return new Response('<html>Not Found</html>', { status: 404 })
  const written = (code: number) => (state.codesAs === 'text' ? String(code) : code)
  const isCapital = path !== 'register.do' && path !== 'refund.do'
  const refused = (code: number, words: string) =>
    Response.json(
      isCapital
        ? { ErrorCode: written(code), ErrorMessage: words }
        : { errorCode: written(code), errorMessage: words, errorDescription: '' },
    )
  if (form.userName !== account.userName || form.password !== account.password) return refused(5, 'Access denied')
  return act({ books, account, state, form, refused, ok: written(0) })
}

interface Asked {
  readonly books: Books
  readonly account: Account
  readonly state: ApiState
  readonly form: Form
  readonly refused: (code: number, words: string) => Response
  readonly ok: unknown
}

const acts: Readonly<Record<string, (asked: Asked) => Response>> = {
  'register.do': register,
  'confirmOrder.do': (asked) => confirm(asked, asked.form.orderId),
  'public/acknowledgeTransaction.do': (asked) => confirm(asked, asked.form.mdOrder),
  'getOrderStatus.do': look,
  'refund.do': refund,
}

function register({ books, account, form, refused, ok }: Asked): Response {
  const params = jsonIn(form.jsonParams)
  const fault = faultIn(form, params, account)
  if (fault) return refused(...fault)
  if (books.numbered(form.orderNumber)) return refused(1, 'Order with this number is already processed')
  const { orderId } = books.register(form, params ?? {})
  const page = `https://test2.satim.dz/payment/merchants/merchant1/payment.html?mdOrder=${orderId}&language=${form.language?.toLowerCase()}`
  return Response.json({ errorCode: ok, orderId, formUrl: page })
}

function confirm({ books, state, refused }: Asked, orderId = ''): Response {
  const one = books.get(orderId)
  if (!one) return refused(6, 'Unknown order id')
  if (state.repeatedAs === 'refusal' && one.confirmations > 0) return refused(2, 'The order is already confirmed')
  const confirmed = books.confirm(one)
  return isTold(confirmed, state) ? Response.json(shown(confirmed, state)) : refused(2, 'The order is declined')
}

function look({ books, state, form, refused }: Asked): Response {
  const one = books.get(form.orderId ?? '')
  return one ? Response.json(shown(one, state)) : refused(6, 'Unknown order id')
}

function refund({ books, form, refused, ok }: Asked): Response {
  const one = books.get(form.orderId ?? '')
  if (!one) return refused(6, 'Unknown order id')
  if (one.state !== 'deposited' && one.state !== 'refunded') return refused(7, 'Payment must be in a correct state')
  const amount = Number(form.amount)
  if (!Number.isInteger(amount) || amount <= 0 || amount > one.deposited) return refused(5, 'amount has an incorrect value')
  books.refund(one, amount)
  return Response.json({ errorCode: ok, errorMessage: null })
}
