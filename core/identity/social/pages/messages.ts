import type { Language } from '../../../http/pages/notice-page.ts'

interface SocialMessages {
  readonly title: string
  readonly signedIn: string
  readonly linked: string
  readonly over: string
  readonly denied: string
  readonly failed: string
  readonly off: string
  readonly linkSaid: string
  readonly link: string
  readonly secondSaid: string
  readonly second: string
  readonly wrongSecond: string
  readonly emailSaid: string
  readonly email: string
  readonly goOn: string
}

/** Texts of the social sign-in pages, by language. `{provider}`, `{there}` and `{here}` are names. */
export const socialMessages: Readonly<Record<Language, SocialMessages>> = {
  en: {
    title: 'Sign in with {provider}',
    signedIn: 'You are signed in. You can close this page.',
    linked: 'It is linked: you can sign in with {provider} from now on. You can close this page.',
    over: 'This sign-in was already used, has expired, or was started in another browser. Start again.',
    denied: 'You cancelled. Nothing has changed.',
    failed: 'That did not work. Start again.',
    off: 'This sign-in is not available here.',
    linkSaid: 'Do you want to link {there} of {provider} to the account {here}? If you did not request this, close this page.',
    link: 'Link',
    secondSaid: 'Your account is protected by a second factor.',
    second: 'Code of your authenticator app, or a recovery code',
    wrongSecond: 'This code is wrong or was already used. Enter the next one.',
    emailSaid: '{provider} sent no e-mail address. Enter yours, and we will mail you a link to confirm it.',
    email: 'E-mail address',
    goOn: 'Continue',
  },
  fr: {
    title: 'Se connecter avec {provider}',
    signedIn: 'Vous êtes connecté. Vous pouvez fermer cette page.',
    linked: 'Compte lié : vous pouvez désormais vous connecter avec {provider}. Vous pouvez fermer cette page.',
    over: 'Cette connexion a déjà servi, a expiré ou a été commencée dans un autre navigateur. Recommencez.',
    denied: 'Vous avez annulé. Rien n’a changé.',
    failed: 'Cela n’a pas fonctionné. Recommencez.',
    off: 'Cette connexion n’est pas disponible ici.',
    linkSaid: 'Voulez-vous lier {there} de {provider} au compte {here} ? Si vous ne l’avez pas demandé, fermez cette page.',
    link: 'Lier',
    secondSaid: 'Votre compte est protégé par un second facteur.',
    second: 'Code de votre application d’authentification, ou code de secours',
    wrongSecond: 'Ce code est incorrect ou a déjà servi. Saisissez le suivant.',
    emailSaid: '{provider} n’a transmis aucune adresse e-mail. Saisissez la vôtre : nous vous enverrons un lien pour la confirmer.',
    email: 'Adresse e-mail',
    goOn: 'Continuer',
  },
  ar: {
    title: 'تسجيل الدخول عبر {provider}',
    signedIn: 'تم تسجيل دخولك. يمكنك إغلاق هذه الصفحة.',
    linked: 'تم الربط: يمكنك الآن تسجيل الدخول عبر {provider}. يمكنك إغلاق هذه الصفحة.',
    over: 'سبق استعمال هذا الدخول أو انتهت صلاحيته أو بدأ من متصفح آخر. ابدأ من جديد.',
    denied: 'لقد ألغيت العملية. لم يتغيّر شيء.',
    failed: 'لم ينجح ذلك. ابدأ من جديد.',
    off: 'تسجيل الدخول هذا غير متاح هنا.',
    linkSaid: 'هل تريد ربط {there} لدى {provider} بالحساب {here}؟ إن لم تطلب ذلك فأغلق هذه الصفحة.',
    link: 'ربط',
    secondSaid: 'حسابك محمي بعامل تحقق ثانٍ.',
    second: 'رمز تطبيق المصادقة أو رمز استرداد',
    wrongSecond: 'هذا الرمز خاطئ أو سبق استعماله. أدخل الرمز التالي.',
    emailSaid: 'لم يرسل {provider} عنوان بريد إلكتروني. أدخل بريدك وسنرسل إليك رابطًا لتأكيده.',
    email: 'البريد الإلكتروني',
    goOn: 'متابعة',
  },
}

/** Replaces the placeholders of a text with names. */
export const fillPlaceholders = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '')
