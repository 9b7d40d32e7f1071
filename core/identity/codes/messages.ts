import type { Language } from '../../http/pages/notice-page.ts'

interface CodeMessages {
  readonly verifyTitle: string
  readonly verifySaid: string
  readonly verify: string
  readonly verified: string
  readonly resetTitle: string
  readonly resetSaid: string
  readonly newPassword: string
  readonly reset: string
  readonly wasReset: string
  readonly overTitle: string
  readonly over: string
  readonly tooCommon: string
  readonly tooShort: string
}

/** Texts of the pages to which mailed links lead, by language. */
export const codeMessages: Readonly<Record<Language, CodeMessages>> = {
  en: {
    verifyTitle: 'Confirm your e-mail address',
    verifySaid: 'Press the button to confirm that this address is yours:',
    verify: 'Confirm',
    verified: 'Your e-mail address is confirmed. You can close this page.',
    resetTitle: 'Choose a new password',
    resetSaid: 'This signs you out everywhere. Then sign in with the new password.',
    newPassword: 'New password (at least 8 characters)',
    reset: 'Set the password',
    wasReset: 'Your password was changed. Sign in with it now.',
    overTitle: 'This link does not work',
    over: 'It was already used or has expired. Request a new one.',
    tooCommon: 'This password is too common and easy to guess. Choose another.',
    tooShort: 'A password must have 8 to 200 characters.',
  },
  fr: {
    verifyTitle: 'Confirmez votre adresse e-mail',
    verifySaid: 'Appuyez sur le bouton pour confirmer que cette adresse est la vôtre :',
    verify: 'Confirmer',
    verified: 'Votre adresse e-mail est confirmée. Vous pouvez fermer cette page.',
    resetTitle: 'Choisissez un nouveau mot de passe',
    resetSaid: 'Vous serez déconnecté partout, puis vous vous connecterez avec le nouveau mot de passe.',
    newPassword: 'Nouveau mot de passe (au moins 8 caractères)',
    reset: 'Enregistrer le mot de passe',
    wasReset: 'Votre mot de passe a été modifié. Connectez-vous avec le nouveau.',
    overTitle: 'Ce lien ne fonctionne pas',
    over: 'Il a déjà servi ou a expiré. Demandez-en un nouveau.',
    tooCommon: 'Ce mot de passe est trop courant et facile à deviner. Choisissez-en un autre.',
    tooShort: 'Un mot de passe doit compter de 8 à 200 caractères.',
  },
  ar: {
    verifyTitle: 'أكّد بريدك الإلكتروني',
    verifySaid: 'اضغط على الزر لتأكيد أن هذا العنوان لك:',
    verify: 'تأكيد',
    verified: 'تم تأكيد بريدك الإلكتروني. يمكنك إغلاق هذه الصفحة.',
    resetTitle: 'اختر كلمة مرور جديدة',
    resetSaid: 'سيتم تسجيل خروجك من كل مكان، ثم تدخل بكلمة المرور الجديدة.',
    newPassword: 'كلمة المرور الجديدة (8 أحرف على الأقل)',
    reset: 'حفظ كلمة المرور',
    wasReset: 'تم تغيير كلمة مرورك. سجّل الدخول بها الآن.',
    overTitle: 'هذا الرابط لا يعمل',
    over: 'سبق استعماله أو انتهت صلاحيته. اطلب رابطًا جديدًا.',
    tooCommon: 'كلمة المرور هذه شائعة جدًا ويسهل تخمينها. اختر غيرها.',
    tooShort: 'يجب أن تتكون كلمة المرور من 8 إلى 200 حرف.',
  },
}
