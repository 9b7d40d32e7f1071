import type { Language } from '../../http/notice-page.ts'
import type { Invitation } from './members.model.ts'

interface Words {
  readonly title: string
  readonly invited: string
  readonly joins: string
  readonly roles: Readonly<Record<Invitation['role'], string>>
  readonly accept: string
  readonly decline: string
  readonly accepted: string
  readonly declined: string
  readonly signUpFirst: string
  readonly overTitle: string
  readonly over: string
  readonly full: string
}

/** What the page says on which an invitation is answered: `{inviter}` wants `{email}` to work in `{store}`, as `{role}`. */
export const words: Readonly<Record<Language, Words>> = {
  en: {
    title: 'You are invited to {store}',
    invited: '{inviter} invites you to work in the store {store} as {role}.',
    joins: 'Once you accept, the account with the address {email} belongs to it.',
    roles: { admin: 'an administrator', agent: 'an agent, who confirms and sends orders', viewer: 'a viewer' },
    accept: 'Accept',
    decline: 'Decline',
    accepted: 'Welcome: you belong to the store {store} now. Sign in to begin.',
    declined: 'You declined. Nothing has changed.',
    signUpFirst: 'There is no account with the confirmed address {email} yet. Sign up with it and confirm it, then open this link again.',
    overTitle: 'This link does not work',
    over: 'The invitation was answered, withdrawn, or is too old.',
    full: 'The store has as many people as it may. Ask who invited you.',
  },
  fr: {
    title: 'Vous êtes invité dans {store}',
    invited: '{inviter} vous invite à travailler dans la boutique {store} comme {role}.',
    joins: 'Dès que vous acceptez, le compte de l’adresse {email} en fait partie.',
    roles: { admin: 'administrateur', agent: 'agent, qui confirme et envoie les commandes', viewer: 'lecteur' },
    accept: 'Accepter',
    decline: 'Refuser',
    accepted: 'Bienvenue : vous faites partie de la boutique {store}. Connectez-vous pour commencer.',
    declined: 'Vous avez refusé. Rien n’a changé.',
    signUpFirst: 'Aucun compte n’a encore l’adresse confirmée {email}. Inscrivez-vous avec elle et confirmez-la, puis rouvrez ce lien.',
    overTitle: 'Ce lien ne fonctionne pas',
    over: 'L’invitation a déjà reçu une réponse, a été retirée ou est trop ancienne.',
    full: 'La boutique a atteint son nombre maximal de personnes. Adressez-vous à qui vous a invité.',
  },
  ar: {
    title: 'أنت مدعوّ إلى {store}',
    invited: 'يدعوك {inviter} إلى العمل في متجر {store} بصفة {role}.',
    joins: 'بمجرد موافقتك ينضم إليه الحساب ذو البريد {email}.',
    roles: { admin: 'مدير', agent: 'وكيل يؤكّد الطلبيات ويرسلها', viewer: 'مطّلع' },
    accept: 'موافقة',
    decline: 'رفض',
    accepted: 'مرحبًا بك: أنت الآن من فريق متجر {store}. سجّل الدخول للبدء.',
    declined: 'لقد رفضت. لم يتغير شيء.',
    signUpFirst: 'لا يوجد حساب بالبريد المؤكَّد {email} بعد. أنشئ حسابًا به وأكّده ثم افتح هذا الرابط من جديد.',
    overTitle: 'هذا الرابط لا يعمل',
    over: 'أُجيب عن الدعوة أو سُحبت أو مضى عليها وقت طويل.',
    full: 'بلغ المتجر العدد الأقصى من الأشخاص. اسأل من دعاك.',
  },
}
