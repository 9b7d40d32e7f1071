import type { Language, NoticePage } from '../../http/pages/notice-page.ts'

type ResultNotice = Pick<NoticePage, 'title' | 'tone' | 'text'>

/** Texts of the page at which a passkey ceremony ends, by language and result. */
export const passkeyMessages: Readonly<Record<Language, Readonly<Record<'done' | 'failed', ResultNotice>>>> = {
  en: {
    done: { title: 'Signed in', tone: 'good', text: 'Go back to the app; you can close this page.' },
    failed: { title: 'That did not work', tone: 'bad', text: 'Go back to the app and try again.' },
  },
  fr: {
    done: { title: 'Connecté', tone: 'good', text: 'Retournez à l’application ; vous pouvez fermer cette page.' },
    failed: { title: 'Cela n’a pas fonctionné', tone: 'bad', text: 'Retournez à l’application et réessayez.' },
  },
  ar: {
    done: { title: 'تم تسجيل الدخول', tone: 'good', text: 'عُد إلى التطبيق، ويمكنك إغلاق هذه الصفحة.' },
    failed: { title: 'لم ينجح ذلك', tone: 'bad', text: 'عُد إلى التطبيق وحاول مرة أخرى.' },
  },
}
