import type { pack as english } from '../en/pack.ts'
import type { WordsLike } from '../words.ts'

/** Words of the page of packing, handing over and returns. */
export const pack: WordsLike<typeof english> = {
  'pack.step': 'العملية',
  'pack.step.pack': 'تغليف',
  'pack.step.handOver': 'تسليم لشركة التوصيل',
  'pack.step.good': 'مرتجع سليم',
  'pack.step.damaged': 'مرتجع تالف',
  'pack.code': 'رقم التتبع أو المرجع',
  'pack.record': 'تسجيل',
  'pack.empty': 'امسح ملصقًا. تظهر كل نتيجة هنا.',
  'pack.done': 'سُجِّل',
  'pack.done_before': 'سُجِّل من قبل',
  'pack.reason.unknown': 'لا طرد بهذا الرقم',
  'pack.reason.ambiguous': 'عدة طرود بهذا الرقم',
  'pack.reason.other_carrier': 'طرد شركة أخرى',
  'pack.reason.cancelled': 'ملغى',
  'pack.reason.not_sent': 'لم يُرسل إلى شركة التوصيل بعد',
  'pack.reason.not_printed': 'ملصقه غير مطبوع',
  'pack.reason.ended': 'انتهى توصيله',
  'pack.reason.not_returning': 'ليس في طريق العودة',
  'pack.reason.other_manifest': 'في كشف آخر',
  'pack.reason.full': 'الكشف ممتلئ',
}
