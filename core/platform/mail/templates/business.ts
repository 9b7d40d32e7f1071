import { template } from '../template.ts'

export const storeInvitation = template({
  values: ['store', 'inviter', 'link'],
  link: 'link',
  words: {
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

/** What an administrator of the platform wrote. */
export const adminMessage = template({
  values: ['subject', 'message'],
  text: 'message',
  words: {
    en: { subject: '{subject}', paragraphs: [], after: ['The administrators of {service} sent you this.'] },
    fr: { subject: '{subject}', paragraphs: [], after: ['Ce message vous est envoyé par les administrateurs de {service}.'] },
    ar: { subject: '{subject}', paragraphs: [], after: ['أرسل إليك هذه الرسالة مديرو {service}.'] },
  },
})

export const subscriptionDue = template({
  values: ['store', 'plan', 'amount', 'dueAt'],
  words: {
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

export const planOrders = template({
  values: ['store', 'plan', 'used', 'limit'],
  words: {
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
