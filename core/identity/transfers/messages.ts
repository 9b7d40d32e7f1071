import type { Language } from '../../http/pages/notice-page.ts'

interface TransferMessages {
  readonly title: string
  readonly offered: string
  readonly accept: string
  readonly decline: string
  readonly accepted: string
  readonly declined: string
  readonly signUpFirst: string
  readonly overTitle: string
  readonly over: string
}

/** Texts of the page on which a transfer is accepted or declined, by language. `{from}` offers `{what}`. */
export const transferMessages: Readonly<Record<Language, TransferMessages>> = {
  en: {
    title: 'An account is being transferred to you',
    offered: '{from} transfers to you: {what}. Once you accept, it is yours, with its stores and projects.',
    accept: 'Accept',
    decline: 'Decline',
    accepted: 'It is yours now.',
    declined: 'You declined. Nothing has changed.',
    signUpFirst: 'No account has confirmed this e-mail address yet. Sign up with this address and confirm it, then open this link again.',
    overTitle: 'This link does not work',
    over: 'It was already used or has expired.',
  },
  fr: {
    title: 'Un compte vous est transféré',
    offered: '{from} vous transfère : {what}. Dès que vous acceptez, tout est à vous, boutiques et projets compris.',
    accept: 'Accepter',
    decline: 'Refuser',
    accepted: 'Le transfert est fait.',
    declined: 'Vous avez refusé. Rien n’a changé.',
    signUpFirst:
      'Aucun compte n’a encore confirmé cette adresse e-mail. Inscrivez-vous avec cette adresse, confirmez-la, puis rouvrez ce lien.',
    overTitle: 'Ce lien ne fonctionne pas',
    over: 'Il a déjà servi ou a expiré.',
  },
  ar: {
    title: 'حساب سيُنقل إليك',
    offered: 'ينقل إليك {from}: {what}. بمجرد موافقتك يصبح لك مع متاجره ومشاريعه.',
    accept: 'موافقة',
    decline: 'رفض',
    accepted: 'أصبح لك الآن.',
    declined: 'لقد رفضت. لم يتغير شيء.',
    signUpFirst: 'لا يوجد حساب بهذا البريد المؤكَّد بعد. أنشئ حسابًا به وأكّده ثم افتح هذا الرابط من جديد.',
    overTitle: 'هذا الرابط لا يعمل',
    over: 'سبق استعماله أو انتهت صلاحيته.',
  },
}
