import { mailTemplate } from '../template.ts'

/** Mail that invites a person to a store. */
export const storeInvitation = mailTemplate({
  values: ['store', 'inviter', 'link'],
  link: 'link',
  texts: {
    en: {
      subject: '{inviter} invites you to {store}',
      paragraphs: ['{inviter} invites you to work in the store {store}.'],
      button: 'See the invitation',
      after: ['If you do not know who this is, you can ignore this mail.'],
    },
    fr: {
      subject: '{inviter} vous invite dans {store}',
      paragraphs: ['{inviter} vous invite à travailler dans la boutique {store}.'],
      button: 'Voir l’invitation',
      after: ['Si vous ne connaissez pas cette personne, vous pouvez ignorer ce message.'],
    },
    ar: {
      subject: 'دعوة من {inviter} إلى {store}',
      paragraphs: ['يدعوك {inviter} إلى العمل في متجر {store}.'],
      button: 'عرض الدعوة',
      after: ['إذا كنت لا تعرف هذا الشخص، يمكنك تجاهل هذه الرسالة.'],
    },
  },
})

/** Mail with free text by a platform administrator. */
export const adminMessage = mailTemplate({
  values: ['subject', 'message'],
  text: 'message',
  texts: {
    en: { subject: '{subject}', paragraphs: [], after: ['The administrators of {service} sent you this.'] },
    fr: { subject: '{subject}', paragraphs: [], after: ['Ce message vous est envoyé par les administrateurs de {service}.'] },
    ar: { subject: '{subject}', paragraphs: [], after: ['أرسل إليك هذه الرسالة مديرو {service}.'] },
  },
})

/** Mail about a subscription that is due. */
export const subscriptionDue = mailTemplate({
  values: ['store', 'plan', 'amount', 'dueAt'],
  texts: {
    en: {
      subject: 'The subscription of {store} is due on {dueAt}',
      paragraphs: ['The subscription of {store} ({plan}) is due on {dueAt}: {amount}.'],
    },
    fr: {
      subject: 'L’abonnement de {store} arrive à échéance le {dueAt}',
      paragraphs: ['L’abonnement de {store} ({plan}) arrive à échéance le {dueAt} : {amount}.'],
    },
    ar: {
      subject: 'اشتراك {store} يستحق في {dueAt}',
      paragraphs: ['اشتراك {store} ({plan}) يستحق في {dueAt}: {amount}.'],
    },
  },
})

/** Mail to the operators about an uploaded receipt. */
export const subscriptionReceipt = mailTemplate({
  values: ['store', 'amount', 'place'],
  texts: {
    en: {
      subject: '{store} sent a receipt of its subscription',
      paragraphs: [
        '{store} says that it paid {amount} for its subscription. Look at the receipt, and say whether the money is there: {place}',
      ],
    },
    fr: {
      subject: '{store} a envoyé un reçu de son abonnement',
      paragraphs: ['{store} dit avoir payé {amount} pour son abonnement. Regardez le reçu, et dites si l’argent est arrivé : {place}'],
    },
    ar: {
      subject: 'أرسل {store} وصل دفع اشتراكه',
      paragraphs: ['يقول {store} إنه دفع {amount} لاشتراكه. اطلعوا على الوصل وأكدوا هل وصل المال: {place}'],
    },
  },
})

/** Mail about a store that approaches its plan's orders. */
export const planOrders = mailTemplate({
  values: ['store', 'plan', 'used', 'limit'],
  texts: {
    en: {
      subject: '{store} has {used} of {limit} orders of its plan',
      paragraphs: ['{store} took {used} orders in this period; its plan {plan} is for {limit}. Further orders are taken all the same.'],
    },
    fr: {
      subject: '{store} a {used} commandes sur {limit} de sa formule',
      paragraphs: [
        '{store} a pris {used} commandes pendant cette période ; sa formule {plan} en prévoit {limit}. Les commandes suivantes sont prises quand même.',
      ],
    },
    ar: {
      subject: 'لدى {store} {used} من {limit} طلب في باقته',
      paragraphs: ['استقبل {store} {used} طلب في هذه الفترة، وباقته {plan} مخصصة لـ {limit}. تُقبل الطلبات التالية رغم ذلك.'],
    },
  },
})

/** Mail about a customer of a connected shop who requested their data. */
export const customerDataRequest = mailTemplate({
  values: ['store', 'shop', 'orders'],
  texts: {
    en: {
      subject: 'A customer asks which data {store} has about them',
      paragraphs: [
        '{shop} reports that a customer requested the data stored about them. Their orders there: {orders}.',
        'All their data is in these orders of {store}. You have 30 days to answer them.',
      ],
    },
    fr: {
      subject: 'Un client demande ce que {store} garde de lui',
      paragraphs: [
        '{shop} transmet qu’un client demande ce qui est gardé de lui. Voici ses commandes là-bas : {orders}.',
        'Tout ce qui est gardé de lui se trouve dans ces commandes de {store}. Vous avez 30 jours pour lui répondre.',
      ],
    },
    ar: {
      subject: 'زبون يسأل عمّا يحتفظ به {store} عنه',
      paragraphs: [
        'أبلغنا {shop} أن زبونًا يسأل عمّا يُحتفظ به عنه. هذه طلباته هناك: {orders}.',
        'كل ما يُحتفظ به عنه موجود في هذه الطلبات لدى {store}. أمامك 30 يومًا للرد عليه.',
      ],
    },
  },
})

/** Mail about a customer of a connected shop who requested the deletion of their data. */
export const customerDataDeletion = mailTemplate({
  values: ['store', 'shop', 'orders'],
  texts: {
    en: {
      subject: 'A customer of {store} requested the deletion of their data',
      paragraphs: [
        '{shop} reports that a customer requested the deletion of their data. The data that it sent with these orders was deleted: {orders}.',
        'The orders of {store} and their parcels are your accounting records and are kept. Delete those that the law does not require you to keep.',
      ],
    },
    fr: {
      subject: 'Un client de {store} doit être oublié',
      paragraphs: [
        '{shop} transmet qu’un client doit être oublié. Ce qui avait été transmis de lui avec ces commandes a été effacé : {orders}.',
        'Les commandes de {store} et leurs colis sont vos livres, et restent. Supprimez celles que la loi ne vous oblige pas à garder.',
      ],
    },
    ar: {
      subject: 'يجب نسيان زبون لدى {store}',
      paragraphs: [
        'أبلغنا {shop} بوجوب نسيان زبون. حُذف ما نقله عنه مع هذه الطلبات: {orders}.',
        'أما طلبات {store} نفسها وطرودها فهي من دفاترك وتبقى. احذف منها ما لا يلزمك القانون بالاحتفاظ به.',
      ],
    },
  },
})
