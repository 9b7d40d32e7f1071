import { mailTemplate } from '../template.ts'

/** Mail that invites a person to a store. */
export const storeInvitation = mailTemplate({
  values: ['store', 'inviter', 'link'],
  link: 'link',
  texts: {
    en: {
      subject: '{inviter} invites you to {store}',
      paragraphs: ['{inviter} invites you to work in the store {store}.'],
      button: 'View the invitation',
      after: ['If you do not know this person, you can ignore this mail.'],
    },
    fr: {
      subject: '{inviter} vous invite à rejoindre {store}',
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
    en: { subject: '{subject}', paragraphs: [], after: ['This message was sent to you by the administrators of {service}.'] },
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
      subject: 'موعد دفع اشتراك {store} هو {dueAt}',
      paragraphs: ['موعد دفع اشتراك {store} ({plan}) هو {dueAt}: {amount}.'],
    },
  },
})

/** Mail to the operators about an uploaded receipt. */
export const subscriptionReceipt = mailTemplate({
  values: ['store', 'amount', 'place'],
  texts: {
    en: {
      subject: '{store} sent a payment receipt for its subscription',
      paragraphs: [
        '{store} reports that it paid {amount} for its subscription. Check the receipt, and record whether the money has arrived: {place}',
      ],
    },
    fr: {
      subject: '{store} a envoyé un reçu de paiement pour son abonnement',
      paragraphs: [
        '{store} déclare avoir payé {amount} pour son abonnement. Vérifiez le reçu, et indiquez si l’argent est arrivé : {place}',
      ],
    },
    ar: {
      subject: 'أرسل {store} وصل دفع اشتراكه',
      paragraphs: ['يصرّح {store} بأنه دفع {amount} لاشتراكه. تحققوا من الوصل وسجّلوا هل وصل المبلغ: {place}'],
    },
  },
})

/** Mail about a store that approaches its plan's orders. */
export const planOrders = mailTemplate({
  values: ['store', 'plan', 'used', 'limit'],
  texts: {
    en: {
      subject: '{store} has received {used} of {limit} orders in its plan',
      paragraphs: ['{store} received {used} orders in this period; its plan {plan} includes {limit}. Further orders are still accepted.'],
    },
    fr: {
      subject: '{store} a reçu {used} des {limit} commandes de sa formule',
      paragraphs: [
        '{store} a reçu {used} commandes pendant cette période ; sa formule {plan} en prévoit {limit}. Les commandes suivantes sont quand même acceptées.',
      ],
    },
    ar: {
      subject: 'استقبل {store} {used} من {limit} طلب في باقته',
      paragraphs: ['استقبل {store} {used} طلب في هذه الفترة، وباقته {plan} تشمل {limit}. تُقبل الطلبات التالية رغم ذلك.'],
    },
  },
})

/** Mail about a customer of a connected shop who requested their data. */
export const customerDataRequest = mailTemplate({
  values: ['store', 'shop', 'orders'],
  texts: {
    en: {
      subject: 'A customer requests the data that {store} has about them',
      paragraphs: [
        '{shop} reports that a customer requested the data stored about them. Their orders there: {orders}.',
        'All their data is in these orders of {store}. You have 30 days to answer them.',
      ],
    },
    fr: {
      subject: 'Un client demande les données que {store} conserve sur lui',
      paragraphs: [
        '{shop} nous signale qu’un client demande les données conservées sur lui. Ses commandes dans cette boutique : {orders}.',
        'Toutes ses données se trouvent dans ces commandes de {store}. Vous avez 30 jours pour lui répondre.',
      ],
    },
    ar: {
      subject: 'زبون يطلب البيانات التي يحتفظ بها {store} عنه',
      paragraphs: [
        'أبلغنا {shop} أن زبونًا يطلب البيانات المحفوظة عنه. طلباته في هذا المتجر: {orders}.',
        'كل بياناته موجودة في هذه الطلبات لدى {store}. أمامك 30 يومًا للرد عليه.',
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
      subject: 'Un client de {store} demande la suppression de ses données',
      paragraphs: [
        '{shop} nous signale qu’un client demande la suppression de ses données. Les données reçues avec ces commandes ont été supprimées : {orders}.',
        'Les commandes de {store} et leurs colis font partie de votre comptabilité et sont conservés. Supprimez celles que la loi ne vous oblige pas à garder.',
      ],
    },
    ar: {
      subject: 'زبون لدى {store} يطلب حذف بياناته',
      paragraphs: [
        'أبلغنا {shop} أن زبونًا يطلب حذف بياناته. تم حذف البيانات التي وصلت مع هذه الطلبات: {orders}.',
        'أما طلبات {store} نفسها وطرودها فهي جزء من محاسبتك وتبقى محفوظة. احذف منها ما لا يلزمك القانون بالاحتفاظ به.',
      ],
    },
  },
})
