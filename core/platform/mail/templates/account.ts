import { template } from '../template.ts'

/** To whoever claims an address. */
export const verifyEmail = template({
  values: ['code', 'link'],
  code: 'code',
  link: 'link',
  words: {
    en: {
      subject: 'Confirm your e-mail address',
      paragraphs: ['To confirm that this address is yours, press the button or type this code:'],
      button: 'Confirm the address',
      after: ['If you did not ask for this, you can ignore this mail.'],
    },
    fr: {
      subject: 'Confirmez votre adresse e-mail',
      paragraphs: ['Pour confirmer que cette adresse est la vôtre, appuyez sur le bouton ou saisissez ce code :'],
      button: 'Confirmer l’adresse',
      after: ['Si vous n’avez rien demandé, vous pouvez ignorer ce message.'],
    },
    ar: {
      subject: 'أكّد بريدك الإلكتروني',
      paragraphs: ['لتأكيد أن هذا العنوان لك، اضغط على الزر أو أدخل هذا الرمز:'],
      button: 'تأكيد العنوان',
      after: ['إذا لم تطلب ذلك، يمكنك تجاهل هذه الرسالة.'],
    },
  },
})

export const resetPassword = template({
  values: ['link'],
  link: 'link',
  words: {
    en: {
      subject: 'Choose a new password',
      paragraphs: ['Somebody asked for a new password for your account. The button leads to the page where you choose one; it works once.'],
      button: 'Choose a password',
      after: ['If that was not you, you can ignore this mail: your password stays what it is.'],
    },
    fr: {
      subject: 'Choisissez un nouveau mot de passe',
      paragraphs: [
        'Un nouveau mot de passe a été demandé pour votre compte. Le bouton mène à la page où le choisir ; il ne sert qu’une fois.',
      ],
      button: 'Choisir un mot de passe',
      after: ['Si ce n’était pas vous, vous pouvez ignorer ce message : votre mot de passe ne change pas.'],
    },
    ar: {
      subject: 'اختر كلمة مرور جديدة',
      paragraphs: ['طُلبت كلمة مرور جديدة لحسابك. يقودك الزر إلى الصفحة التي تختارها فيها، ويعمل مرة واحدة فقط.'],
      button: 'اختيار كلمة مرور',
      after: ['إذا لم تكن أنت، يمكنك تجاهل هذه الرسالة: كلمة مرورك لن تتغير.'],
    },
  },
})

export const signInCode = template({
  values: ['code'],
  code: 'code',
  words: {
    en: {
      subject: 'Your sign-in code',
      paragraphs: ['Type this code to sign in:'],
      after: ['Give it to nobody. If you are not signing in just now, you can ignore this mail.'],
    },
    fr: {
      subject: 'Votre code de connexion',
      paragraphs: ['Saisissez ce code pour vous connecter :'],
      after: ['Ne le donnez à personne. Si vous n’êtes pas en train de vous connecter, vous pouvez ignorer ce message.'],
    },
    ar: {
      subject: 'رمز الدخول',
      paragraphs: ['أدخل هذا الرمز لتسجيل الدخول:'],
      after: ['لا تعطه لأحد. إذا لم تكن تسجّل الدخول الآن، يمكنك تجاهل هذه الرسالة.'],
    },
  },
})

export const newSignIn = template({
  values: ['device', 'address', 'at'],
  words: {
    en: {
      subject: 'A new sign-in to your account',
      paragraphs: ['Somebody signed in to your account from a device that we had not seen before: {device}, from {address}, on {at}.'],
      after: ['If that was you, there is nothing to do. If not, change your password and end the sessions that you do not know.'],
    },
    fr: {
      subject: 'Nouvelle connexion à votre compte',
      paragraphs: ['Votre compte a été ouvert depuis un appareil encore inconnu : {device}, depuis {address}, le {at}.'],
      after: [
        'Si c’était vous, il n’y a rien à faire. Sinon, changez votre mot de passe et fermez les sessions que vous ne connaissez pas.',
      ],
    },
    ar: {
      subject: 'تسجيل دخول جديد إلى حسابك',
      paragraphs: ['تم تسجيل الدخول إلى حسابك من جهاز لم نعرفه من قبل: {device}، من {address}، في {at}.'],
      after: ['إذا كنت أنت، فلا شيء عليك. وإلا فغيّر كلمة مرورك وأنهِ الجلسات التي لا تعرفها.'],
    },
  },
})

export const accountTransfer = template({
  values: ['from', 'what', 'link'],
  link: 'link',
  words: {
    en: {
      subject: '{from} wants to hand {what} over to you',
      paragraphs: ['{from} wants to hand {what} over to you. It is yours once you accept.'],
      button: 'See and decide',
      after: ['If you do not know who this is, do not accept.'],
    },
    fr: {
      subject: '{from} souhaite vous transférer {what}',
      paragraphs: ['{from} souhaite vous transférer {what}. Le transfert a lieu dès que vous l’acceptez.'],
      button: 'Voir et décider',
      after: ['Si vous ne connaissez pas cette personne, n’acceptez pas.'],
    },
    ar: {
      subject: 'يريد {from} أن ينقل إليك {what}',
      paragraphs: ['يريد {from} أن ينقل إليك {what}. يصبح لك بمجرد موافقتك.'],
      button: 'الاطلاع واتخاذ القرار',
      after: ['إذا كنت لا تعرف هذا الشخص فلا توافق.'],
    },
  },
})
