/**
 * From what a policy means and what the machine can do to the way a command is started. Start at {@link
 * dev.execserver.sandbox.plan.LaunchPlanner}, which makes a {@link dev.execserver.sandbox.plan.LaunchPlan} or refuses, and
 * go on with {@link dev.execserver.sandbox.plan.SandboxLauncher}, which carries it out. A policy is never weakened to fit.
 *
 * <p>File workers plan and launch; virtual threads wait. No locks of its own.
 */
package dev.execserver.sandbox.plan;
