import type { Language } from '../../http/pages/notice-page.ts'

/** Texts of the notification about an administrator, `{admin}`, who signed in as the user, by language. */
export const loginAsMessages: Readonly<Record<Language, { readonly title: string; readonly message: string }>> = {
  en: {
    title: 'An administrator signed in as you',
    message: '{admin}, an administrator of this service, signed in to your account for half an hour. The reason: {reason}',
  },
  fr: {
    title: 'Un administrateur s’est connecté à votre compte',
    message: '{admin}, administrateur de ce service, s’est connecté à votre compte pour une demi-heure. Motif : {reason}',
  },
  ar: {
    title: 'دخل أحد المديرين إلى حسابك',
    message: 'دخل {admin}، وهو من مديري هذه الخدمة، إلى حسابك لمدة نصف ساعة. السبب: {reason}',
  },
}
