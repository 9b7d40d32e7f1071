import { type Language, noticeResponse } from '../../../http/pages/notice-page.ts'
import type { InstallOutcome } from './install-shop.ts'

const messages: Readonly<Record<Language, Record<InstallOutcome, string>>> = {
  ar: {
    connected: 'تم ربط المتجر. يمكنكم إغلاق هذه الصفحة.',
    denied: 'لم يُمنح الإذن. لم يتغيّر شيء.',
    failed: 'تعذّر ربط المتجر. حاولوا من جديد.',
  },
  fr: {
    connected: 'La boutique est connectée. Vous pouvez fermer cette page.',
    denied: "L'autorisation a été refusée. Rien n'a changé.",
    failed: "La boutique n'a pas pu être connectée. Recommencez.",
  },
  en: {
    connected: 'The shop is connected. You can close this page.',
    denied: 'Permission was not given. Nothing has changed.',
    failed: 'The shop could not be connected. Try again.',
  },
}
const TONES = { connected: 'good', denied: 'bad', failed: 'bad' } as const

/** Renders the outcome of connecting a shop on a phone. An app that shows the page reads the outcome from the address. */
export function installResultPage(outcome: InstallOutcome, label: string, accepted: string | null): Response {
  const language = (/^\s*(ar|fr)\b/i.exec(accepted ?? '')?.[1]?.toLowerCase() ?? 'en') as Language
  return noticeResponse({ language, title: label, tone: TONES[outcome], text: messages[language][outcome] })
}
