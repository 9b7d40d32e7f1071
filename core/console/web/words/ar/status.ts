import type { status as english } from '../en/status.ts'

/** Statuses of orders, as shopkeepers say them. */
export const status: Record<keyof typeof english, string> = {
  'status.pending': 'للتأكيد',
  'status.confirmed': 'مؤكد',
  'status.unreachable': 'لا يمكن الوصول',
  'status.postponed': 'مؤجل',
  'status.sent': 'مُرسل',
  'status.out_for_delivery': 'خرج للتوصيل',
  'status.delivered': 'تم التسليم',
  'status.returning': 'في طريق العودة',
  'status.returned': 'مرتجع',
  'status.cancelled': 'ملغى',
  'status.lost': 'ضائع',
  'risk.tag': 'خطر',
  'risk.high': 'رجع {refused} من {ended} من التوصيلات. اتصل قبل الإرسال.',
  'risk.low': 'رجع {refused} من {ended} من التوصيلات.',
  'risk.rule': 'خطر: انتهت 3 توصيلات على الأقل، ورجع نصفها أو أكثر.',
}
