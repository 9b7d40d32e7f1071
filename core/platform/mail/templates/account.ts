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
      after: ['If you did not request this, you can ignore this mail.'],
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
        'A new password was requested for your account. Press the button to choose one, or type this code where you requested it. Either works once.',
      ],
      button: 'Choose a password',
      after: ['Do not share the code with anyone. If that was not you, you can ignore this mail: your password stays the same.'],
    },
    fr: {
      subject: 'Choisissez un nouveau mot de passe',
      paragraphs: [
        'Un nouveau mot de passe a été demandé pour votre compte. Appuyez sur le bouton pour le choisir, ou saisissez ce code là où vous l’avez demandé. L’un comme l’autre ne fonctionne qu’une seule fois.',
      ],
      button: 'Choisir un mot de passe',
      after: ['Ne communiquez ce code à personne. Si vous n’avez rien demandé, ignorez ce message : votre mot de passe ne change pas.'],
    },
    ar: {
      subject: 'اختر كلمة مرور جديدة',
      paragraphs: [
        'وصلنا طلب كلمة مرور جديدة لحسابك. اضغط على الزر لاختيارها، أو أدخل هذا الرمز حيث طلبتها. كل منهما صالح لمرة واحدة فقط.',
      ],
      button: 'اختيار كلمة مرور',
      after: ['لا تعطِ هذا الرمز لأحد. إذا لم تطلب ذلك، فتجاهل هذه الرسالة: لن تتغير كلمة مرورك.'],
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
      subject: 'Your account at {service}',
      paragraphs: [
        'An account with this address was created for you at {service}. To sign in, choose a password: press the button, or type this code where you are asked for it. Either works once, within seven days.',
      ],
      button: 'Choose a password',
      after: ['After seven days, request a new password on the sign-in page. If you did not expect this mail, you can ignore it.'],
    },
    fr: {
      subject: 'Votre compte sur {service}',
      paragraphs: [
        'Un compte a été créé pour vous avec cette adresse sur {service}. Pour vous connecter, choisissez un mot de passe : appuyez sur le bouton, ou saisissez ce code quand il vous est demandé. L’un comme l’autre ne fonctionne qu’une seule fois, pendant sept jours.',
      ],
      button: 'Choisir un mot de passe',
      after: [
        'Passé ce délai, demandez un nouveau mot de passe sur la page de connexion. Si vous n’attendiez pas ce message, vous pouvez l’ignorer.',
      ],
    },
    ar: {
      subject: 'حسابك لدى {service}',
      paragraphs: [
        'تم إنشاء حساب لك بهذا العنوان لدى {service}. لتسجيل الدخول اختر كلمة مرور: اضغط على الزر، أو أدخل هذا الرمز حين يُطلب منك. كل منهما صالح لمرة واحدة خلال سبعة أيام.',
      ],
      button: 'اختيار كلمة مرور',
      after: ['بعد هذه المدة اطلب كلمة مرور جديدة من صفحة تسجيل الدخول. إذا لم تكن تنتظر هذه الرسالة فيمكنك تجاهلها.'],
    },
  },
})

/** Mail to the previous address of an account. */
export const addressChanged = mailTemplate({
  values: ['email', 'at'],
  texts: {
    en: {
      subject: 'The e-mail address of your account was changed',
      paragraphs: ['On {at}, the e-mail address of your account was changed to {email}. Mails go there from now on.'],
      after: ['If that was not you, contact {service} at once.'],
    },
    fr: {
      subject: 'L’adresse e-mail de votre compte a été modifiée',
      paragraphs: ['Le {at}, l’adresse e-mail de votre compte est devenue {email}. Nos messages y sont désormais envoyés.'],
      after: ['Si ce n’était pas vous, contactez {service} sans attendre.'],
    },
    ar: {
      subject: 'تم تغيير بريد حسابك',
      paragraphs: ['تم تغيير البريد الإلكتروني لحسابك في {at} إلى {email}. ستصل الرسائل إليه من الآن.'],
      after: ['إذا لم تكن أنت، فاتصل بـ {service} فورًا.'],
    },
  },
})

/** Mail about a changed password. */
export const passwordChanged = mailTemplate({
  values: ['at'],
  texts: {
    en: {
      subject: 'Your password was changed',
      paragraphs: ['The password of your account was changed on {at}, and your other sessions were ended.'],
      after: ['If that was not you, request a new password on the sign-in page at once.'],
    },
    fr: {
      subject: 'Votre mot de passe a été modifié',
      paragraphs: ['Le mot de passe de votre compte a été modifié le {at}, et vos autres sessions ont été fermées.'],
      after: ['Si ce n’était pas vous, demandez tout de suite un nouveau mot de passe sur la page de connexion.'],
    },
    ar: {
      subject: 'تم تغيير كلمة مرورك',
      paragraphs: ['تم تغيير كلمة مرور حسابك في {at}، وأُغلقت جلساتك الأخرى.'],
      after: ['إذا لم تكن أنت، فاطلب فورًا كلمة مرور جديدة من صفحة تسجيل الدخول.'],
    },
  },
})

/** Mail about a new sign-in method: a passkey or a social account. */
export const signInMethodAdded = mailTemplate({
  values: ['way', 'at'],
  texts: {
    en: {
      subject: 'A new way to sign in to your account',
      paragraphs: ['On {at}, a new way to sign in was added to your account: {way}.'],
      after: ['If that was not you, change your password, end the sessions that you do not recognize, and remove this way to sign in.'],
    },
    fr: {
      subject: 'Un nouveau moyen de connexion à votre compte',
      paragraphs: ['Un nouveau moyen de connexion a été ajouté à votre compte le {at} : {way}.'],
      after: [
        'Si ce n’était pas vous, changez votre mot de passe, fermez les sessions que vous ne reconnaissez pas et supprimez ce moyen de connexion.',
      ],
    },
    ar: {
      subject: 'طريقة جديدة لتسجيل الدخول إلى حسابك',
      paragraphs: ['أُضيفت إلى حسابك في {at} طريقة جديدة لتسجيل الدخول: {way}.'],
      after: ['إذا لم تكن أنت، فغيّر كلمة مرورك وأغلق الجلسات التي لا تعرفها واحذف هذه الطريقة.'],
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
      after: ['Do not share it with anyone. If you are not signing in right now, you can ignore this mail.'],
    },
    fr: {
      subject: 'Votre code de connexion',
      paragraphs: ['Saisissez ce code pour vous connecter :'],
      after: ['Ne le communiquez à personne. Si vous n’êtes pas en train de vous connecter, vous pouvez ignorer ce message.'],
    },
    ar: {
      subject: 'رمز الدخول',
      paragraphs: ['أدخل هذا الرمز لتسجيل الدخول:'],
      after: ['لا تعطِه لأحد. إذا لم تكن تسجّل الدخول الآن، يمكنك تجاهل هذه الرسالة.'],
    },
  },
})

/** Mail about a sign-in from a new device. */
export const newSignIn = mailTemplate({
  values: ['device', 'address', 'at'],
  texts: {
    en: {
      subject: 'A new sign-in to your account',
      paragraphs: ['There was a sign-in to your account from a new device: {device}, from {address}, on {at}.'],
      after: ['If that was you, you need not do anything. If not, change your password and end the sessions that you do not recognize.'],
    },
    fr: {
      subject: 'Nouvelle connexion à votre compte',
      paragraphs: ['Une connexion à votre compte a eu lieu depuis un nouvel appareil : {device}, adresse {address}, le {at}.'],
      after: [
        'Si c’était vous, vous n’avez rien à faire. Sinon, changez votre mot de passe et fermez les sessions que vous ne reconnaissez pas.',
      ],
    },
    ar: {
      subject: 'تسجيل دخول جديد إلى حسابك',
      paragraphs: ['تم تسجيل الدخول إلى حسابك من جهاز جديد: {device}، من {address}، في {at}.'],
      after: ['إذا كنت أنت، فلا داعي لفعل أي شيء. وإلا فغيّر كلمة مرورك وأغلق الجلسات التي لا تعرفها.'],
    },
  },
})

/** Mail that offers the transfer of an account. */
export const accountTransfer = mailTemplate({
  values: ['from', 'what', 'link'],
  link: 'link',
  texts: {
    en: {
      subject: '{from} wants to transfer {what} to you',
      paragraphs: ['{from} wants to transfer {what} to you. It is yours once you accept.'],
      button: 'View and decide',
      after: ['If you do not know this person, do not accept.'],
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
