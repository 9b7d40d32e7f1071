import type { start as english } from '../en/start.ts'

/** Words of the first store. */
export const start: Record<keyof typeof english, string> = {
  'start.title': 'أنشئ متجرك',
  'start.text': 'يمكنك تغيير كل هذا لاحقًا.',
  'start.name': 'اسم المتجر',
  'start.country': 'البلد',
  'start.submit': 'إنشاء المتجر',
  'start.step': 'الخطوة {step} من {steps}',
  'start.carrierTitle': 'جرّب شركة توصيل',
  'start.carrierText': 'شركة التوصيل التجريبية تقبل الطرود وتحركها، لكن لا شيء يسافر. اربط الشركات الحقيقية لاحقًا.',
  'start.carrierSubmit': 'ربط الشركة التجريبية',
  'start.skip': 'لاحقًا',
  'start.orderTitle': 'أنشئ أول طلب',
  'start.orderText': 'منتج وطلب لتجربة التأكيد.',
  'start.phone': 'رقم هاتفك',
  'start.phoneHint': 'يأخذه الزبون التجريبي لتجرب المكالمة.',
  'start.orderSubmit': 'إنشاء منتج وطلب',
  'start.productName': 'منتج تجريبي',
  'start.customerName': 'زبون تجريبي',
}
