import { defineTexts } from "../../lib/i18n.ts";

export const accountTexts = defineTexts("account", {
  title: ["Account Settings", "Configuración de la cuenta"],
  description: ["Your profile and your password.", "Tu perfil y tu contraseña."],
  profile: ["Profile", "Perfil"],
  fullName: ["Full Name", "Nombre completo"],
  email: ["Email Address", "Correo electrónico"],
  phone: ["Personal Phone Number", "Número de teléfono personal"],
  phonePlaceholder: ["(555) 123-4567", "(555) 123-4567"],
  phoneHint: ["Optional. Calls ring here first.", "Opcional. Las llamadas suenan aquí primero."],
  save: ["Save Changes", "Guardar cambios"],
  saving: ["Saving...", "Guardando..."],
  cancel: ["Cancel", "Cancelar"],
  password: ["Password", "Contraseña"],
  currentPassword: ["Current Password", "Contraseña actual"],
  newPassword: ["New Password", "Contraseña nueva"],
  confirmPassword: ["Confirm New Password", "Confirmar contraseña nueva"],
  changePassword: ["Change Password", "Cambiar contraseña"],
  changing: ["Changing...", "Cambiando..."],
  noChangesTitle: ["No Changes", "Sin cambios"],
  noChangesText: ["No changes detected to save.", "No hay cambios que guardar."],
  profileUpdatedTitle: ["Profile Updated", "Perfil actualizado"],
  profileUpdatedText: [
    "Your profile has been updated successfully.",
    "Tu perfil se actualizó correctamente.",
  ],
  errorTitle: ["Error", "Error"],
  profileFailed: ["Failed to update profile.", "No se pudo actualizar el perfil."],
  passwordsDiffer: ["New passwords don't match.", "Las contraseñas nuevas no coinciden."],
  passwordTooShort: [
    "Password must be at least 6 characters long.",
    "La contraseña debe tener al menos 6 caracteres.",
  ],
  passwordChangedTitle: ["Password Changed", "Contraseña cambiada"],
  passwordChangedText: [
    "Your password has been changed successfully.",
    "Tu contraseña se cambió correctamente.",
  ],
  passwordFailed: [
    "Failed to change password. Please check your current password.",
    "No se pudo cambiar la contraseña. Revisa tu contraseña actual.",
  ],
});
