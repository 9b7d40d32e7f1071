import type { Language } from '../../../http/pages/notice-page.ts'
import type { Invitation } from './members.model.ts'

interface Messages {
  readonly title: string
  readonly invited: string
  readonly joins: string
  readonly roles: Readonly<Record<Invitation['role'], string>>
  readonly accept: string
  readonly decline: string
  readonly accepted: string
  readonly declined: string
  readonly newHere: string
  readonly name: string
  readonly password: string
  readonly signUp: string
  readonly tooShort: string
  readonly tooCommon: string
  readonly closed: string
  readonly confirmFirst: string
  readonly overTitle: string
  readonly over: string
  readonly full: string
}

/** Texts of the page that answers an invitation, by language. `{inviter}` invites `{email}` to the store `{store}` as `{role}`. */
export const invitationMessages: Readonly<Record<Language, Messages>> = {
  en: {
    title: 'You are invited to {store}',
    invited: '{inviter} invites you to work in the store {store} as {role}.',
    joins: 'Once you accept, the account with the address {email} becomes a member.',
    roles: { admin: 'an administrator', agent: 'an agent, who confirms and sends orders', viewer: 'a viewer' },
    accept: 'Accept',
    decline: 'Decline',
    accepted: 'Welcome! You are now a member of the store {store}. Sign in to begin.',
    declined: 'You declined. Nothing has changed.',
    newHere: 'There is no account with the address {email} yet. Choose a password to create one and join the store.',
    name: 'Your name',
    password: 'Password (at least 8 characters)',
    signUp: 'Sign up and accept',
    tooShort: 'The password must have 8 to 200 characters, and the name 1 to 80.',
    tooCommon: 'This password is too common and easy to guess. Choose another.',
    closed:
      'There is no account with the address {email}, and sign-up is closed here. Ask an administrator for an account, then open this link again.',
    confirmFirst: 'The address {email} of your account is not confirmed yet. We mailed you a link: open it, then open this page again.',
    overTitle: 'This link does not work',
    over: 'The invitation was already answered, was withdrawn, or has expired.',
    full: 'The store has reached its maximum number of members. Contact the person who invited you.',
  },
  fr: {
    title: 'Vous êtes invité à rejoindre {store}',
    invited: '{inviter} vous invite à travailler dans la boutique {store} en tant que : {role}.',
    joins: 'Dès que vous acceptez, le compte {email} en devient membre.',
    roles: { admin: 'administrateur', agent: 'agent, qui confirme et envoie les commandes', viewer: 'lecteur' },
    accept: 'Accepter',
    decline: 'Refuser',
    accepted: 'Bienvenue ! Vous faites maintenant partie de la boutique {store}. Connectez-vous pour commencer.',
    declined: 'Vous avez refusé. Rien n’a changé.',
    newHere: 'Aucun compte n’utilise encore l’adresse {email}. Choisissez un mot de passe pour le créer et rejoindre la boutique.',
    name: 'Votre nom',
    password: 'Mot de passe (au moins 8 caractères)',
    signUp: 'S’inscrire et accepter',
    tooShort: 'Le mot de passe doit compter de 8 à 200 caractères, et le nom de 1 à 80.',
    tooCommon: 'Ce mot de passe est trop courant et facile à deviner. Choisissez-en un autre.',
    closed:
      'Aucun compte n’utilise l’adresse {email}, et les inscriptions sont fermées ici. Demandez un compte à un administrateur, puis rouvrez ce lien.',
    confirmFirst:
      'L’adresse {email} de votre compte n’est pas encore confirmée. Nous vous avons envoyé un lien : ouvrez-le, puis rouvrez cette page.',
    overTitle: 'Ce lien ne fonctionne pas',
    over: 'L’invitation a déjà reçu une réponse, a été retirée ou a expiré.',
    full: 'La boutique a atteint son nombre maximal de membres. Contactez la personne qui vous a invité.',
  },
  ar: {
    title: 'أنت مدعوّ إلى {store}',
    invited: 'يدعوك {inviter} إلى العمل في متجر {store} بصفة {role}.',
    joins: 'بمجرد موافقتك ينضم إليه الحساب ذو البريد {email}.',
    roles: { admin: 'مدير', agent: 'موظف يؤكّد الطلبيات ويرسلها', viewer: 'مشاهد' },
    accept: 'موافقة',
    decline: 'رفض',
    accepted: 'مرحبًا بك: أنت الآن من فريق متجر {store}. سجّل الدخول للبدء.',
    declined: 'لقد رفضت. لم يتغير شيء.',
    newHere: 'لا يوجد حساب بالبريد {email} بعد. اختر كلمة مرور لإنشائه والانضمام إلى المتجر.',
    name: 'اسمك',
    password: 'كلمة المرور (8 أحرف على الأقل)',
    signUp: 'إنشاء الحساب والموافقة',
    tooShort: 'يجب أن تتكون كلمة المرور من 8 إلى 200 حرف، والاسم من 1 إلى 80.',
    tooCommon: 'كلمة المرور هذه شائعة جدًا ويسهل تخمينها. اختر غيرها.',
    closed: 'لا يوجد حساب بالبريد {email}، والتسجيل مغلق هنا. اطلب حسابًا من مدير ثم افتح هذا الرابط من جديد.',
    confirmFirst: 'لم يُؤكَّد البريد {email} لحسابك بعد. أرسلنا إليك رابطًا: افتحه ثم افتح هذه الصفحة من جديد.',
    overTitle: 'هذا الرابط لا يعمل',
    over: 'سبق الرد على الدعوة أو سُحبت أو انتهت صلاحيتها.',
    full: 'بلغ المتجر العدد الأقصى من الأعضاء. اتصل بمن دعاك.',
  },
}
