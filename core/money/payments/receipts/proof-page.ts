import { fileForm } from '../../../http/body/form.ts'
import { formResponse } from '../../../http/pages/form-page.ts'
import { type Language, noticeResponse } from '../../../http/pages/notice-page.ts'
import { headOf, type PaidFor } from '../pages/page-head.ts'
import type { AtGateway } from '../payments.model.ts'

/** What the page sends, as it is described. */
export const receiptForm = fileForm('JPEG, PNG, WebP, GIF, AVIF or PDF, up to 8 MiB')

type Words = Readonly<Record<'pay' | 'sent' | 'again' | 'file' | 'send', string>>

const words: Readonly<Record<Language, Words>> = {
  ar: {
    pay: 'ادفعوا المبلغ كما هو مبيّن، ثم أرسلوا صورة الوصل.',
    sent: 'وصلنا الوصل. سيتم التحقق من الدفع.',
    again: 'لم يُقبل الوصل. يمكنكم إرسال وصل آخر.',
    file: 'صورة الوصل أو ملف PDF',
    send: 'إرسال',
  },
  fr: {
    pay: 'Payez comme indiqué, puis envoyez une photo du reçu.',
    sent: 'Le reçu est arrivé. Le paiement est en cours de vérification.',
    again: 'Le reçu n’a pas été accepté. Vous pouvez en envoyer un autre.',
    file: 'Photo du reçu, ou PDF',
    send: 'Envoyer',
  },
  en: {
    pay: 'Pay as it says here, then send a picture of the receipt.',
    sent: 'The receipt has arrived. The payment is looked at.',
    again: 'The receipt was not accepted. You can send another one.',
    file: 'Picture of the receipt, or a PDF',
    send: 'Send',
  },
}

/** Where a payer reads how to pay, and sends the receipt to `action`. */
export function proofPage(of: AtGateway, paidFor: PaidFor, action: string, language: Language = of.language): Response {
  const payment = { ...of, language }
  const { status, message, directions } = payment
  const say = words[language]
  const { facts, ...head } = headOf(payment, paidFor)
  const isRefused = status === 'failed'
  return formResponse({
    ...head,
    said: status === 'processing' ? say.sent : say.pay,
    ...(isRefused && { problem: message ? `${say.again} ${message}` : say.again }),
    facts: [...facts, ...(directions ?? []).map(({ name, value }) => [name, value] as const)],
    action,
    hidden: {},
    file: { name: 'file', label: say.file, accept: 'image/*,application/pdf' },
    buttons: [{ label: say.send }],
  })
}

export const proofTaken = (payment: AtGateway, paidFor: PaidFor, language: Language = payment.language): Response =>
  noticeResponse({ ...headOf({ ...payment, language }, paidFor), tone: 'waiting', said: words[language].sent })
