import { type ChallengeAnswer, type Checkout, type CheckoutStatus, sha256, toBase64 } from 'serai/payment'
import { digits } from './fields.ts'
import type { Kept } from './store.ts'

/** Maximum size of a challenge answer. */
const PAGE_BYTES = 4096

type Language = Checkout['language']

interface Words {
  readonly title: string
  readonly order: string
  readonly pay: string
  readonly decline: string
  readonly cancel: string
  readonly over: string
  readonly paid: string
  readonly on: string
  readonly again: string
}

const words: Readonly<Record<Language, Words>> = {
  ar: {
    title: 'دفع تجريبي',
    order: 'الطلب',
    pay: 'ادفع',
    decline: 'ارفض البطاقة',
    cancel: 'تراجع',
    over: 'انتهت عملية الدفع هذه',
    paid: 'تم الدفع',
    on: 'متابعة',
    again: 'لم تنجح العملية. أعد المحاولة.',
  },
  fr: {
    title: 'Paiement d’essai',
    order: 'Commande',
    pay: 'Payer',
    decline: 'Refuser la carte',
    cancel: 'Abandonner',
    over: 'Ce paiement est terminé',
    paid: 'C’est payé',
    on: 'Continuer',
    again: 'Cela n’a pas marché. Réessayez.',
  },
  en: {
    title: 'Sandbox payment',
    order: 'Order',
    pay: 'Pay',
    decline: 'Decline the card',
    cancel: 'Give up',
    over: 'This payment is over',
    paid: 'It is paid',
    on: 'Go on',
    again: 'That did not work. Try again.',
  },
}

const STYLE = `body{margin:0;font:18px/1.5 system-ui,sans-serif;background:#f3f4f6;color:#111}main{max-width:22rem;margin:8vh auto;padding:1.5rem;background:#fff;border-radius:1rem;text-align:center}h1{font-size:1rem;color:#555}b{display:block;font-size:2rem}button,a{display:block;box-sizing:border-box;width:100%;margin:.6rem 0;padding:.8rem;border:1px solid #bbb;border-radius:.6rem;background:#fff;font:inherit;color:#111;text-decoration:none}button[value=pay],a{background:#0a7a3d;color:#fff}`

/** Script of the page, equal for all checkouts, so that the CSP can allow its hash alone. */
const SCRIPT = `const m=document.querySelector('main').dataset,p=document.querySelector('#said');for(const b of document.querySelectorAll('button'))b.onclick=async e=>{e.preventDefault();p.textContent='…';try{const r=await fetch(location.href,{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({checkout:m.checkout,proof:m.proof,choice:b.value})});if(!r.ok)throw 0;location.href=b.value=='pay'?m.done:m.back}catch{p.textContent=m.again}}`

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? '')

/** Formats an amount for display, with the currency's decimals. */
function moneyIn(language: Language, amount: number, currency: string): string {
  const places = digits[currency] ?? 2
  const format = new Intl.NumberFormat(language === 'en' ? 'en' : `${language}-DZ`, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  })
  return format.format(amount / 10 ** places)
}

/** Builds the page on which the payer chooses an outcome, or continues. Its language is the browser's, else the checkout's. */
export async function pageOf(kept: Kept, accepted = ''): Promise<ChallengeAnswer> {
  const one = { ...kept, language: languageIn(accepted) ?? kept.language }
  return { status: 200, contentType: 'text/html; charset=utf-8', body: one.status === 'open' ? await choicePage(one) : resultPage(one) }
}

/** Returns the first of the browser's languages that the page supports. */
const languageIn = (accepted: string): Language | undefined =>
  accepted
    .slice(0, 500)
    .split(',')
    .map((each) => each.trim().slice(0, 2).toLowerCase())
    .find((each): each is Language => each in words)

/** Returns true when the page fits into a challenge answer. */
export const fitsChallenge = async (one: Kept) => new TextEncoder().encode(await choicePage(one)).length <= PAGE_BYTES

async function choicePage(one: Kept): Promise<string> {
  const { pay, decline, cancel, again } = words[one.language]
  const data = { checkout: one.externalId, proof: one.proof, done: one.doneUrl, back: one.backUrl, again }
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escaped(value)}"`)
  const buttons = Object.entries({ pay, decline, cancel }).map(
    ([value, label]) => `<button name=choice value=${value}>${escaped(label)}</button>`,
  )
  // Without JavaScript the browser submits the form.
  const hidden = `<input type=hidden name=proof value="${escaped(one.proof)}">`
  const hash = toBase64(await sha256(SCRIPT))
  const policy = `default-src 'none';style-src 'unsafe-inline';script-src 'sha256-${hash}';connect-src 'self'`
  const main = `<main${attributes.join('')}>${headOf(one)}<form method=post>${hidden}${buttons.join('')}</form><p id=said role=status></p></main>`
  return whole(one, policy, `${main}<script>${SCRIPT}</script>`)
}

const wentWell: readonly CheckoutStatus[] = ['paid', 'authorized', 'processing']

function resultPage(one: Kept): string {
  const { over, paid, on } = words[one.language]
  const isPaid = wentWell.includes(one.status)
  const link = `<a href="${escaped(isPaid ? one.doneUrl : one.backUrl)}">${escaped(on)}</a>`
  return whole(
    one,
    "default-src 'none';style-src 'unsafe-inline'",
    `<main>${headOf(one)}<p>${escaped(isPaid ? paid : over)}</p>${link}</main>`,
  )
}

function headOf({ language, amount, currency, reference }: Kept): string {
  const { title, order } = words[language]
  const money = `<b><bdi>${escaped(moneyIn(language, amount, currency))}</bdi></b>`
  return `<h1>${escaped(title)}</h1>${money}<p>${escaped(order)} <bdi>${escaped(reference)}</bdi></p>`
}

function whole({ language }: Kept, policy: string, body: string): string {
  const meta = `<meta charset=utf-8><meta name=viewport content="width=device-width,initial-scale=1"><meta name=referrer content=no-referrer>`
  const guard = `<meta http-equiv=Content-Security-Policy content="${policy}">`
  const title = `<title>${escaped(words[language].title)}</title>`
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  return `<!doctype html><html lang=${language} dir=${direction}><head>${meta}${guard}${title}<style>${STYLE}</style></head><body>${body}</body></html>`
}
