import { mailTemplate } from '../template.ts'

/** Mail to a user who must confirm an address. */
export const verifyEmail = mailTemplate({
  values: ['code', 'link'],
  code: 'code',
  link: 'link',
  texts: {
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

/** Mail with a code for a new password. */
export const resetPassword = mailTemplate({
  values: ['code', 'link'],
  code: 'code',
  link: 'link',
  texts: {
    en: {
      subject: 'Choose a new password',
      paragraphs: [
        'Somebody asked for a new password for your account. The button leads to the page where you choose one; or type this code where you asked for it. Either works once.',
      ],
      button: 'Choose a password',
      after: ['Give the code to nobody. If that was not you, you can ignore this mail: your password stays what it is.'],
    },
    fr: {
      subject: 'Choisissez un nouveau mot de passe',
      paragraphs: [
        'Un nouveau mot de passe a été demandé pour votre compte. Le bouton mène à la page où le choisir ; ou saisissez ce code là où vous l’avez demandé. L’un ou l’autre ne sert qu’une fois.',
      ],
      button: 'Choisir un mot de passe',
      after: ['Ne donnez ce code à personne. Si ce n’était pas vous, vous pouvez ignorer ce message : votre mot de passe ne change pas.'],
    },
    ar: {
      subject: 'اختر كلمة مرور جديدة',
      paragraphs: [
        'طُلبت كلمة مرور جديدة لحسابك. يقودك الزر إلى الصفحة التي تختارها فيها؛ أو أدخل هذا الرمز حيث طلبتها. يعمل أيٌّ منهما مرة واحدة فقط.',
      ],
      button: 'اختيار كلمة مرور',
      after: ['لا تعط الرمز لأحد. إذا لم تكن أنت، يمكنك تجاهل هذه الرسالة: كلمة مرورك لن تتغير.'],
    },
  },
})

/** Mail to a user whose account someone else created. */
export const accountCreated = mailTemplate({
  values: ['code', 'link'],
  code: 'code',
  link: 'link',
  texts: {
    en: {
      subject: 'Your account with {service}',
      paragraphs: [
        'An account with this address was made for you at {service}. To get in, choose a password: the button leads to the page; or type this code where you are asked for it. Either works once, within seven days.',
      ],
      button: 'Choose a password',
      after: ['After that, ask for a new password where you sign in. If you know nothing of this, you can ignore this mail.'],
    },
    fr: {
      subject: 'Votre compte chez {service}',
      paragraphs: [
        'Un compte a été créé pour vous avec cette adresse chez {service}. Pour y entrer, choisissez un mot de passe : le bouton mène à la page ; ou saisissez ce code là où il vous est demandé. L’un ou l’autre ne sert qu’une fois, pendant sept jours.',
      ],
      button: 'Choisir un mot de passe',
      after: ['Passé ce délai, demandez un nouveau mot de passe à la connexion. Si cela ne vous dit rien, vous pouvez ignorer ce message.'],
    },
    ar: {
      subject: 'حسابك لدى {service}',
      paragraphs: [
        'أُنشئ لك حساب بهذا العنوان لدى {service}. للدخول اختر كلمة مرور: يقودك الزر إلى الصفحة، أو أدخل هذا الرمز حيث يُطلب منك. يعمل أيٌّ منهما مرة واحدة خلال سبعة أيام.',
      ],
      button: 'اختيار كلمة مرور',
      after: ['بعد ذلك اطلب كلمة مرور جديدة حيث تسجّل الدخول. إذا كنت لا تعرف شيئًا عن هذا فيمكنك تجاهل هذه الرسالة.'],
    },
  },
})

/** Mail to the previous address of an account. */
export const addressChanged = mailTemplate({
  values: ['email', 'at'],
  texts: {
    en: {
      subject: 'The address of your account was changed',
      paragraphs: ['Your account has had another e-mail address since {at}: {email}. Mails go there from now on.'],
      after: ['If that was not you, tell the people of {service} at once.'],
    },
    fr: {
      subject: 'L’adresse de votre compte a été changée',
      paragraphs: ['Votre compte a une autre adresse e-mail depuis le {at} : {email}. Les messages y vont désormais.'],
      after: ['Si ce n’était pas vous, prévenez aussitôt {service}.'],
    },
    ar: {
      subject: 'تغيّر عنوان حسابك',
      paragraphs: ['لحسابك بريد إلكتروني آخر منذ {at}: {email}. تصل الرسائل إليه من الآن.'],
      after: ['إذا لم تكن أنت، فأخبر {service} فورًا.'],
    },
  },
})

/** Mail about a changed password. */
export const passwordChanged = mailTemplate({
  values: ['at'],
  texts: {
    en: {
      subject: 'Your password was changed',
      paragraphs: ['The password of your account was changed on {at}, and other sessions were ended.'],
      after: ['If that was not you, ask for a new password at once, where you sign in.'],
    },
    fr: {
      subject: 'Votre mot de passe a été changé',
      paragraphs: ['Le mot de passe de votre compte a été changé le {at}, et les autres sessions ont été fermées.'],
      after: ['Si ce n’était pas vous, demandez aussitôt un nouveau mot de passe à la connexion.'],
    },
    ar: {
      subject: 'تغيّرت كلمة مرورك',
      paragraphs: ['تغيّرت كلمة مرور حسابك في {at}، وأُنهيت الجلسات الأخرى.'],
      after: ['إذا لم تكن أنت، فاطلب فورًا كلمة مرور جديدة حيث تسجّل الدخول.'],
    },
  },
})

/** Mail about a new sign-in method: a passkey or a social account. */
export const signInMethodAdded = mailTemplate({
  values: ['way', 'at'],
  texts: {
    en: {
      subject: 'A new way to sign in to your account',
      paragraphs: ['Your account can be opened with this as well since {at}: {way}.'],
      after: ['If that was not you, change your password, end the sessions that you do not know, and remove it.'],
    },
    fr: {
      subject: 'Un nouveau moyen d’ouvrir votre compte',
      paragraphs: ['Votre compte peut aussi être ouvert ainsi depuis le {at} : {way}.'],
      after: ['Si ce n’était pas vous, changez votre mot de passe, fermez les sessions que vous ne connaissez pas et retirez ce moyen.'],
    },
    ar: {
      subject: 'طريقة جديدة لفتح حسابك',
      paragraphs: ['صار يمكن فتح حسابك أيضًا بهذا منذ {at}: {way}.'],
      after: ['إذا لم تكن أنت، فغيّر كلمة مرورك وأنهِ الجلسات التي لا تعرفها وأزِل هذه الطريقة.'],
    },
  },
})

/** Mail with a sign-in code. */
export const signInCode = mailTemplate({
  values: ['code'],
  code: 'code',
  texts: {
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

/** Mail about a sign-in from a new device. */
export const newSignIn = mailTemplate({
  values: ['device', 'address', 'at'],
  texts: {
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

/** Mail that offers the transfer of an account. */
export const accountTransfer = mailTemplate({
  values: ['from', 'what', 'link'],
  link: 'link',
  texts: {
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
