import { formResponse } from '../../http/form-page.ts'
import { type Language, noticeResponse } from '../../http/notice-page.ts'
import type { PaymentRow } from './payments.queries.ts'

type Words = Readonly<Record<'order' | 'amount' | 'pay' | 'sent' | 'again' | 'file' | 'send', string>>

const words: Readonly<Record<Language, Words>> = {
  ar: {
    order: 'الطلب',
    amount: 'المبلغ',
    pay: 'ادفعوا المبلغ كما هو مبيّن، ثم أرسلوا صورة الوصل.',
    sent: 'وصلنا الوصل. سيتحقق المتجر من الدفع.',
    again: 'لم يُقبل الوصل. يمكنكم إرسال وصل آخر.',
    file: 'صورة الوصل أو ملف PDF',
    send: 'إرسال',
  },
  fr: {
    order: 'Commande',
    amount: 'Montant',
    pay: 'Payez comme indiqué, puis envoyez une photo du reçu.',
    sent: 'Le reçu est arrivé. La boutique vérifie le paiement.',
    again: 'Le reçu n’a pas été accepté. Vous pouvez en envoyer un autre.',
    file: 'Photo du reçu, ou PDF',
    send: 'Envoyer',
  },
  en: {
    order: 'Order',
    amount: 'Amount',
    pay: 'Pay as it says here, then send a picture of the receipt.',
    sent: 'The receipt has arrived. The shop looks at the payment.',
    again: 'The receipt was not accepted. You can send another one.',
    file: 'Picture of the receipt, or a PDF',
    send: 'Send',
  },
}

const moneyIn = ({ language, currency, amount }: PaymentRow) =>
  new Intl.NumberFormat(language === 'ar' ? 'ar-u-nu-latn' : language, { style: 'currency', currency }).format(Number(amount))

/** Where a payer reads how to pay, and sends the receipt. `reference`: what the customer knows the order by. */
export function proofPage(payment: PaymentRow, reference: string): Response {
  const { language, status, message } = payment
  const say = words[language]
  const isRefused = status === 'failed'
  return formResponse({
    language,
    title: `${say.order} ${reference}`,
    said: status === 'processing' ? say.sent : say.pay,
    ...(isRefused && { problem: message ? `${say.again} ${message}` : say.again }),
    facts: [[say.amount, moneyIn(payment)], ...(payment.directions ?? []).map(({ name, value }): [string, string] => [name, value])],
    action: `/v1/payments/${payment.id}/proof`,
    hidden: {},
    file: { name: 'file', label: say.file, accept: 'image/*,application/pdf' },
    buttons: [{ label: say.send }],
  })
}

export function proofTaken(payment: PaymentRow, reference: string): Response {
  const { language } = payment
  const say = words[language]
  const facts = [[say.amount, moneyIn(payment)]] as const
  return noticeResponse({ language, title: `${say.order} ${reference}`, tone: 'waiting', said: say.sent, facts })
}
