import { mailTemplate } from '../template.ts'

/** Mail about a webhook endpoint that keeps failing. */
export const webhookFailing = mailTemplate({
  values: ['endpoint', 'url', 'percent'],
  texts: {
    en: {
      subject: 'A webhook endpoint keeps failing',
      paragraphs: [
        'The webhook endpoint {endpoint} ({url}) keeps failing: {percent} % of the 5 days after which it is disabled have passed.',
      ],
    },
    fr: {
      subject: 'Un webhook ne répond plus',
      paragraphs: [
        'Le webhook {endpoint} ({url}) échoue sans cesse : {percent} % des 5 jours après lesquels il est désactivé sont passés.',
      ],
    },
    ar: {
      subject: 'نقطة استقبال لا تستجيب',
      paragraphs: ['تفشل نقطة الاستقبال {endpoint} ({url}) باستمرار: انقضى {percent} % من الأيام الخمسة التي تُعطَّل بعدها.'],
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
        'The webhook endpoint {endpoint} ({url}) has failed for 5 days and was disabled. Enable it again when it works; deliveries can be sent again.',
      ],
    },
    fr: {
      subject: 'Un webhook a été désactivé',
      paragraphs: [
        'Le webhook {endpoint} ({url}) a échoué pendant 5 jours et a été désactivé. Réactivez-le quand il fonctionne ; les envois peuvent être refaits.',
      ],
    },
    ar: {
      subject: 'عُطّلت نقطة استقبال',
      paragraphs: ['فشلت نقطة الاستقبال {endpoint} ({url}) خمسة أيام فعُطّلت. أعد تفعيلها حين تعمل؛ ويمكن إعادة إرسال ما لم يصل.'],
    },
  },
})

/** Mail about a webhook endpoint that was disabled after 410 Gone. */
export const webhookGone = mailTemplate({
  values: ['endpoint', 'url'],
  texts: {
    en: {
      subject: 'A webhook endpoint was disabled',
      paragraphs: ['The webhook endpoint {endpoint} ({url}) answered 410 Gone and was disabled. Enable it again when it is back.'],
    },
    fr: {
      subject: 'Un webhook a été désactivé',
      paragraphs: ['Le webhook {endpoint} ({url}) a répondu 410 Gone et a été désactivé. Réactivez-le quand il sera de retour.'],
    },
    ar: {
      subject: 'عُطّلت نقطة استقبال',
      paragraphs: ['أجابت نقطة الاستقبال {endpoint} ({url}) بالرمز 410 Gone فعُطّلت. أعد تفعيلها حين تعود.'],
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
        'Until then little or nothing is done through it. See to its credentials, or sign in again: {place}',
      ],
    },
    fr: {
      subject: '{adapter} demande votre attention',
      paragraphs: [
        'La connexion de {store} à {adapter} demande votre attention depuis le {since} : {why}',
        'D’ici là, presque rien ne passe par elle. Vérifiez ses identifiants, ou reconnectez-vous : {place}',
      ],
    },
    ar: {
      subject: '{adapter} يحتاج إلى انتباهك',
      paragraphs: [
        'ربط {store} مع {adapter} يحتاج إلى انتباهك منذ {since}: {why}',
        'إلى ذلك الحين لا يكاد يمر عبره شيء. راجع بيانات الدخول أو سجّل الدخول من جديد: {place}',
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
        'Until then little or nothing is done through it. See to its credentials, or sign in again: {place}',
      ],
    },
    fr: {
      subject: '{adapter} demande votre attention',
      paragraphs: [
        'La connexion de la plateforme à {adapter} demande votre attention depuis le {since} : {why}',
        'D’ici là, presque rien ne passe par elle. Vérifiez ses identifiants, ou reconnectez-vous : {place}',
      ],
    },
    ar: {
      subject: '{adapter} يحتاج إلى انتباهك',
      paragraphs: [
        'ربط المنصة مع {adapter} يحتاج إلى انتباهك منذ {since}: {why}',
        'إلى ذلك الحين لا يكاد يمر عبره شيء. راجع بيانات الدخول أو سجّل الدخول من جديد: {place}',
      ],
    },
  },
})
