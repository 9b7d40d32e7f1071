import { type Call, runSimulator, type Simulator, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { type Books, createBooks, faultsIn, type Json, type Kept, type Spelling, usualSpelling } from './simulator/books.ts'

export type { Kept, Spelling }

interface State extends Spelling {
  /** The calls that are sent on to somewhere else, as a pattern over `METHOD /path`. */
  redirects: string | undefined
}

export interface Slickpay extends Simulator {
  readonly credentials: { readonly publicKey: string }
  readonly account: string
  /** May be changed while it runs, and is as usual once it is calm. */
  readonly state: State
  /** Oldest first. */
  invoices(): Kept[]
  /** A payer pays an invoice, of another amount where one is given. */
  pay(id: string, amount?: number): Kept
  /** What its callback says of an invoice. */
  told(id: string, change?: Json): Json
  /** Tells the address of the invoice; answers with what status it was heard. */
  tell(id: string): Promise<number>
}

const publicKey = '54|simulatorBZ7F6N4KwSD46GEXToOv3ZBp'
const account = '60155203-da6e-4db6-86ad-981f9a042251'

const said = (status: number, body: unknown) => Response.json(body, { status })

function answer(books: Books, state: State, { method, path, headers, body }: Call): Response {
  if (state.redirects !== undefined && new RegExp(state.redirects).test(`${method} ${path}`))
    return new Response(null, { status: 302, headers: { location: '/elsewhere' } })
  if (headers.get('authorization') !== `Bearer ${publicKey}`) return said(401, { message: 'Unauthenticated.' })
  const [, owner, rest = ''] = /^\/api\/v2\/(users|merchants)\/(.*)$/.exec(path) ?? []
  if (owner !== 'users' && owner !== 'merchants') return said(404, { message: 'Not Found.' })
  if (method === 'GET' && rest === 'accounts' && owner === 'users')
    return said(200, { data: [{ id: 211, uuid: account, default: 1, title: 'Main RIB' }] })
  if (method === 'POST' && rest === 'invoices') return create(books, owner, JSON.parse(body) as Json)
  const one = method === 'GET' ? books.get(decodeURIComponent(/^invoices\/([^/]+)$/.exec(rest)?.[1] ?? '')) : undefined
  return one?.owner === owner ? said(200, books.shown(one)) : said(404, { message: 'No query results for model.' })
}

function create(books: Books, owner: Kept['owner'], asked: Json): Response {
  const errors = faultsIn(asked, [account])
  const [first] = Object.values(errors).flat()
  if (first !== undefined) return said(422, { message: first, errors })
  const one = books.create(owner, asked)
  const page = `https://cib.satim.dz/payment/merchants/merchant1/payment.html?mdOrder=${one.serial}`
  return said(200, { success: 1, message: 'Facture créée avec succès.', id: one.id, url: page })
}

/** SlickPay's side of the wire: whole dinars, an address that has to be there, a word that only says done or not, callbacks that are not signed. */
export function startSlickpay(options: SimulatorOptions = {}): Slickpay {
  const usual: State = { ...usualSpelling, redirects: undefined }
  const state = { ...usual }
  const books = createBooks(state)
  const told = (id: string, change?: Json) => books.told(books.of(id), change)

  async function tell(id: string): Promise<number> {
    const { asked } = books.of(id)
    const headers = { 'content-type': 'application/json', signature: String(asked.webhook_signature ?? '') }
    const answer = await fetch(String(asked.webhook_url), { method: 'POST', headers, body: JSON.stringify(told(id)), redirect: 'manual' })
    await answer.arrayBuffer()
    return answer.status
  }

  const simulator = startSimulator(options, {
    faultsOn: '^POST /api/v2/(users|merchants)/invoices$',
    answer: (call) => answer(books, state, call),
    control: {
      'GET account': () => ({ credentials: { publicKey }, account }),
      'GET invoices': () => books.all(),
      'POST pay': ({ id, amount }) => books.pay(String(id), typeof amount === 'number' ? amount : undefined),
      'POST tell': ({ id }) => tell(String(id)),
    },
  })
  return {
    ...simulator,
    state,
    calm() {
      simulator.calm()
      Object.assign(state, usual)
    },
    credentials: { publicKey },
    account,
    invoices: books.all,
    pay: books.pay,
    told,
    tell,
  }
}

if (import.meta.main) runSimulator(startSlickpay)
