import type { send as english } from '../en/send.ts'
import type { WordsLike } from '../words.ts'

/** Words of the page that sends orders. */
export const send: WordsLike<typeof english> = {
  'send.title': {
    zero: 'لا طلبات للإرسال',
    one: 'طلب واحد للإرسال',
    two: 'طلبان للإرسال',
    few: '{count} طلبات للإرسال',
    many: '{count} طلبًا للإرسال',
    other: '{count} طلب للإرسال',
  },
  'send.sendAndPrint': {
    zero: 'أرسل واطبع',
    one: 'أرسل واطبع',
    two: 'أرسل الطلبين واطبع',
    few: 'أرسل {count} طلبات واطبع',
    many: 'أرسل {count} طلبًا واطبع',
    other: 'أرسل {count} طلب واطبع',
  },
  'send.empty': 'لا شيء للإرسال. تظهر الطلبات المؤكدة هنا.',
  'send.more': 'طلبات أخرى تنتظر. أرسل هذه أو صححها أولًا.',
  'send.carrier': 'شركة التوصيل',
  'send.orders': 'الطلبات',
  'send.toCollect': 'للتحصيل',
  'send.notSent': {
    zero: 'لا طلبات متعذرة',
    one: 'طلب واحد لا يمكن إرساله',
    two: 'طلبان لا يمكن إرسالهما',
    few: '{count} طلبات لا يمكن إرسالها',
    many: '{count} طلبًا لا يمكن إرساله',
    other: '{count} طلب لا يمكن إرساله',
  },
  'send.choose': 'اختر الطلبات واحدًا واحدًا',
}
