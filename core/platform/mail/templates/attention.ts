import { mailTemplate } from '../template.ts'

/** Mail about a webhook endpoint that keeps failing. */
export const webhookFailing = mailTemplate({
  values: ['endpoint', 'url', 'percent'],
  texts: {
    en: {
      subject: 'A webhook endpoint keeps failing',
      paragraphs: [
        'The webhook endpoint {endpoint} ({url}) keeps failing. It is disabled after 5 days of failures; {percent} % of that time has passed.',
      ],
    },
    fr: {
      subject: 'Un webhook échoue sans cesse',
      paragraphs: [
        'Le webhook {endpoint} ({url}) échoue sans cesse. Il est désactivé après 5 jours d’échecs ; {percent} % de ce délai sont écoulés.',
      ],
    },
    ar: {
      subject: 'عنوان Webhook يفشل باستمرار',
      paragraphs: ['يفشل عنوان Webhook {endpoint} ({url}) باستمرار. يُعطَّل بعد 5 أيام من الفشل، وقد مضى {percent} % من هذه المدة.'],
    },
  },
})

/** Mail about a webhook endpoint that was disabled after failing. */
export const webhookDisabled = mailTemplate({
  values: ['endpoint', 'url'],
  texts: {
    en: {
      subject: 'A webhook endpoint was disabled',
      paragraphs: [
        'The webhook endpoint {endpoint} ({url}) has failed for 5 days and was disabled. Enable it again once it works. You can then resend its deliveries.',
      ],
    },
    fr: {
      subject: 'Un webhook a été désactivé',
      paragraphs: [
        'Le webhook {endpoint} ({url}) a échoué pendant 5 jours et a été désactivé. Réactivez-le quand il fonctionnera de nouveau. Vous pourrez alors relancer les envois.',
      ],
    },
    ar: {
      subject: 'تم تعطيل عنوان Webhook',
      paragraphs: ['فشل عنوان Webhook {endpoint} ({url}) طوال 5 أيام فتم تعطيله. أعد تفعيله حين يعمل، ويمكنك حينها إعادة إرسال ما لم يصل.'],
    },
  },
})

/** Mail about a webhook endpoint that was disabled after 410 Gone. */
export const webhookGone = mailTemplate({
  values: ['endpoint', 'url'],
  texts: {
    en: {
      subject: 'A webhook endpoint was disabled',
      paragraphs: ['The webhook endpoint {endpoint} ({url}) answered 410 Gone and was disabled. Enable it again once it is back.'],
    },
    fr: {
      subject: 'Un webhook a été désactivé',
      paragraphs: [
        'Le webhook {endpoint} ({url}) a répondu 410 Gone et a été désactivé. Réactivez-le quand il sera de nouveau disponible.',
      ],
    },
    ar: {
      subject: 'تم تعطيل عنوان Webhook',
      paragraphs: ['أجاب عنوان Webhook {endpoint} ({url}) بالرمز 410 Gone فتم تعطيله. أعد تفعيله حين يعود للعمل.'],
    },
  },
})

/** Mail about a store's connection that needs attention. */
export const connectionAttention = mailTemplate({
  values: ['store', 'adapter', 'since', 'why', 'place'],
  texts: {
    en: {
      subject: '{adapter} needs attention',
      paragraphs: [
        'The connection of {store} to {adapter} has needed attention since {since}: {why}',
        'Until it is fixed, little or nothing works through it. Check its credentials, or sign in again: {place}',
      ],
    },
    fr: {
      subject: '{adapter} demande votre attention',
      paragraphs: [
        'La connexion de {store} à {adapter} demande votre attention depuis le {since} : {why}',
        'Tant que ce n’est pas réglé, presque rien ne passe par cette connexion. Vérifiez ses identifiants, ou reconnectez-vous : {place}',
      ],
    },
    ar: {
      subject: '{adapter} يحتاج إلى انتباهك',
      paragraphs: [
        'يحتاج ربط {store} مع {adapter} إلى انتباهك منذ {since}: {why}',
        'إلى أن تُحل المشكلة، لا يكاد يعمل شيء عبر هذا الربط. تحقق من بيانات الدخول أو سجّل الدخول من جديد: {place}',
      ],
    },
  },
})

/** Mail about a platform connection that needs attention. */
export const platformConnectionAttention = mailTemplate({
  values: ['adapter', 'since', 'why', 'place'],
  texts: {
    en: {
      subject: '{adapter} needs attention',
      paragraphs: [
        "The platform's connection to {adapter} has needed attention since {since}: {why}",
        'Until it is fixed, little or nothing works through it. Check its credentials, or sign in again: {place}',
      ],
    },
    fr: {
      subject: '{adapter} demande votre attention',
      paragraphs: [
        'La connexion de la plateforme à {adapter} demande votre attention depuis le {since} : {why}',
        'Tant que ce n’est pas réglé, presque rien ne passe par cette connexion. Vérifiez ses identifiants, ou reconnectez-vous : {place}',
      ],
    },
    ar: {
      subject: '{adapter} يحتاج إلى انتباهك',
      paragraphs: [
        'يحتاج ربط المنصة مع {adapter} إلى انتباهك منذ {since}: {why}',
        'إلى أن تُحل المشكلة، لا يكاد يعمل شيء عبر هذا الربط. تحقق من بيانات الدخول أو سجّل الدخول من جديد: {place}',
      ],
    },
  },
})
