import type { Scope } from '../../../http/auth/scopes.ts'
import type { Language } from '../../../http/pages/language.ts'

/** Texts of the authorization pages. `{app}` is the app's name, `{name}` the user's. */
export interface AuthorizeMessages {
  readonly signInTitle: string
  readonly signInFor: string
  readonly email: string
  readonly password: string
  readonly secondFactor: string
  readonly second: string
  readonly signIn: string
  readonly allowTitle: string
  readonly asks: string
  readonly signedInAs: string
  readonly notYou: string
  readonly project: string
  readonly registeredItself: string
  readonly goesTo: string
  readonly canEnd: string
  readonly allow: string
  readonly deny: string
  readonly failedTitle: string
  readonly failed: string
  readonly wrong: string
  readonly slow: string
  readonly forgot: string
  readonly sent: string
  readonly addressFirst: string
  readonly passkey: string
  readonly passkeyFailed: string
  readonly with: string
  readonly or: string
  readonly old: string
  readonly language: string
  readonly scopes: Readonly<Record<Scope, string>>
}

/** Texts of the authorization pages, by language. */
export const authorizeMessages: Readonly<Record<Language, AuthorizeMessages>> = {
  en: {
    signInTitle: 'Sign in',
    signInFor: 'Sign in to continue to {app}.',
    email: 'E-mail address',
    password: 'Password',
    secondFactor: 'Code of your authenticator app, if you use one',
    second: 'Enter the password again, with a code of your authenticator app.',
    signIn: 'Sign in',
    allowTitle: 'Allow {app}?',
    asks: '{app} wants to act as you, and to:',
    signedInAs: 'Signed in as {name}',
    notYou: 'Not you?',
    project: 'In the project',
    registeredItself: 'This app registered itself. Allow it only if you started this yourself, in an app that you know.',
    goesTo: 'You will continue to',
    canEnd: 'You can revoke this at any time in the connected apps of your account.',
    allow: 'Allow',
    deny: 'Do not allow',
    failedTitle: 'This link does not work',
    failed: 'The app that sent you here made an invalid request. Go back to it and start again.',
    wrong: 'The e-mail address or the password is wrong.',
    slow: 'Too many attempts. Wait a moment and try again.',
    forgot: 'Forgot your password?',
    sent: 'If there is an account with this address, a mail with a link to choose a new password is on its way.',
    addressFirst: 'Enter your e-mail address first, then choose “Forgot your password?”.',
    passkey: 'Sign in with a passkey',
    passkeyFailed: 'The passkey did not work. Try again, or sign in another way.',
    with: 'Sign in with {provider}',
    or: 'or',
    old: 'This page has expired. Please choose again.',
    language: 'Language',
    scopes: {
      'geo:read': 'look up places and pick-up points',
      'geo:resolve': 'match addresses to places',
      'ai:read': 'read the results of AI tasks',
      'ai:generate': 'start AI tasks that cost money',
      'tenants:manage': 'manage your account’s projects and their API keys',
      'webhooks:manage': 'manage webhooks, which receive the events of your project',
      'inventory:read': 'read your stock',
      'inventory:write': 'change your stock',
      'parcels:read': 'read your parcels, with the names and addresses of your customers, and the cash that carriers owe and paid you',
      'parcels:write': 'create, change, send and cancel parcels, and record the cash that carriers paid you',
      'stores:read': 'read your stores and their settings',
      'stores:write': 'change your stores and their settings',
      'orders:read': 'read your orders, with the names and addresses of your customers, your payouts, and your figures, such as revenue',
      'orders:write': 'create and change orders, and accept payouts of your payment providers',
      'products:read': 'read your products',
      'products:write': 'create, change and delete products',
    },
  },
  fr: {
    signInTitle: 'Connexion',
    signInFor: 'Connectez-vous pour continuer vers {app}.',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    secondFactor: 'Code de votre application d’authentification, si vous en utilisez une',
    second: 'Saisissez à nouveau le mot de passe, avec un code de votre application d’authentification.',
    signIn: 'Se connecter',
    allowTitle: 'Autoriser {app} ?',
    asks: '{app} demande à agir en votre nom et à :',
    signedInAs: 'Connecté en tant que {name}',
    notYou: 'Ce n’est pas vous ?',
    project: 'Dans le projet',
    registeredItself:
      'Cette application s’est enregistrée elle-même. Ne l’autorisez que si vous avez commencé vous-même, dans une application que vous connaissez.',
    goesTo: 'Vous continuerez vers',
    canEnd: 'Vous pouvez retirer cet accès à tout moment dans les applications connectées de votre compte.',
    allow: 'Autoriser',
    deny: 'Refuser',
    failedTitle: 'Ce lien ne fonctionne pas',
    failed: 'L’application qui vous a envoyé ici a fait une demande incorrecte. Retournez-y et recommencez.',
    wrong: 'L’adresse e-mail ou le mot de passe est incorrect.',
    slow: 'Trop de tentatives. Attendez un instant puis réessayez.',
    forgot: 'Mot de passe oublié ?',
    sent: 'S’il existe un compte avec cette adresse, un e-mail contenant un lien pour choisir un nouveau mot de passe est en route.',
    addressFirst: 'Saisissez d’abord votre adresse e-mail, puis choisissez « Mot de passe oublié ? ».',
    passkey: 'Se connecter avec une clé d’accès',
    passkeyFailed: 'La clé d’accès n’a pas fonctionné. Réessayez ou connectez-vous autrement.',
    with: 'Se connecter avec {provider}',
    or: 'ou',
    old: 'Cette page a expiré. Veuillez choisir à nouveau.',
    language: 'Langue',
    scopes: {
      'geo:read': 'consulter les lieux et les points de retrait',
      'geo:resolve': 'rapprocher des adresses et des lieux',
      'ai:read': 'lire les résultats des tâches d’IA',
      'ai:generate': 'lancer des tâches d’IA payantes',
      'tenants:manage': 'gérer les projets de votre compte et leurs clés d’API',
      'webhooks:manage': 'gérer les webhooks, qui reçoivent les événements de votre projet',
      'inventory:read': 'lire votre stock',
      'inventory:write': 'modifier votre stock',
      'parcels:read':
        'lire vos colis, avec les noms et adresses de vos clients, et l’argent que les transporteurs vous doivent et vous ont versé',
      'parcels:write': 'créer, modifier, envoyer et annuler des colis, et enregistrer l’argent que les transporteurs vous ont versé',
      'stores:read': 'lire vos boutiques et leurs réglages',
      'stores:write': 'modifier vos boutiques et leurs réglages',
      'orders:read':
        'lire vos commandes, avec les noms et adresses de vos clients, vos versements, et vos chiffres, comme le chiffre d’affaires',
      'orders:write': 'créer et modifier des commandes, et accepter les versements de vos prestataires de paiement',
      'products:read': 'lire vos produits',
      'products:write': 'créer, modifier et supprimer des produits',
    },
  },
  ar: {
    signInTitle: 'تسجيل الدخول',
    signInFor: 'سجّل الدخول للمتابعة إلى {app}.',
    email: 'البريد الإلكتروني',
    password: 'كلمة المرور',
    secondFactor: 'رمز تطبيق المصادقة، إن كنت تستعمله',
    second: 'أدخل كلمة المرور من جديد مع رمز من تطبيق المصادقة.',
    signIn: 'تسجيل الدخول',
    allowTitle: 'هل تسمح لتطبيق {app}؟',
    asks: 'يطلب {app} التصرّف باسمك، و:',
    signedInAs: 'تم تسجيل الدخول باسم {name}',
    notYou: 'لست أنت؟',
    project: 'في المشروع',
    registeredItself: 'سجّل هذا التطبيق نفسه تلقائيًا. لا تسمح له إلا إذا بدأت ذلك بنفسك من تطبيق تعرفه.',
    goesTo: 'ستنتقل بعدها إلى',
    canEnd: 'يمكنك إلغاء هذا الإذن في أي وقت من قائمة التطبيقات المتصلة بحسابك.',
    allow: 'السماح',
    deny: 'رفض',
    failedTitle: 'هذا الرابط لا يعمل',
    failed: 'أرسل التطبيق الذي جئت منه طلبًا غير صحيح. عُد إليه وابدأ من جديد.',
    wrong: 'البريد الإلكتروني أو كلمة المرور غير صحيحة.',
    slow: 'محاولات كثيرة. انتظر قليلًا ثم حاول مرة أخرى.',
    forgot: 'هل نسيت كلمة المرور؟',
    sent: 'إن كان هناك حساب بهذا العنوان فستصلك رسالة فيها رابط لاختيار كلمة مرور جديدة.',
    addressFirst: 'أدخل بريدك الإلكتروني أولًا ثم اختر «هل نسيت كلمة المرور؟».',
    passkey: 'تسجيل الدخول بمفتاح المرور',
    passkeyFailed: 'لم يعمل مفتاح المرور. حاول مرة أخرى أو سجّل الدخول بطريقة أخرى.',
    with: 'تسجيل الدخول عبر {provider}',
    or: 'أو',
    old: 'انتهت صلاحية هذه الصفحة. يرجى الاختيار من جديد.',
    language: 'اللغة',
    scopes: {
      'geo:read': 'البحث عن الأماكن ونقاط الاستلام',
      'geo:resolve': 'مطابقة العناوين مع الأماكن',
      'ai:read': 'قراءة نتائج مهام الذكاء الاصطناعي',
      'ai:generate': 'بدء مهام ذكاء اصطناعي مدفوعة',
      'tenants:manage': 'إدارة مشاريع حسابك ومفاتيح API الخاصة بها',
      'webhooks:manage': 'إدارة عناوين Webhook التي تستقبل أحداث مشروعك',
      'inventory:read': 'قراءة مخزونك',
      'inventory:write': 'تعديل مخزونك',
      'parcels:read': 'قراءة طرودك مع أسماء زبائنك وعناوينهم، والمبالغ التي تدين لك بها شركات التوصيل والتي دفعتها لك',
      'parcels:write': 'إنشاء الطرود وتعديلها وإرسالها وإلغاؤها، وتسجيل المبالغ التي دفعتها لك شركات التوصيل',
      'stores:read': 'قراءة متاجرك وإعداداتها',
      'stores:write': 'تعديل متاجرك وإعداداتها',
      'orders:read': 'قراءة طلبياتك مع أسماء زبائنك وعناوينهم، ومدفوعاتك الواردة، وأرقامك مثل الإيرادات',
      'orders:write': 'إنشاء الطلبيات وتعديلها، وقبول المدفوعات الواردة من مزوّدي الدفع',
      'products:read': 'قراءة منتجاتك',
      'products:write': 'إنشاء المنتجات وتعديلها وحذفها',
    },
  },
}
