# Completion of dractl for bash, as dractl completion bash prints it.

_dractl() {
  local IFS=$' \t\n'
  local line=${COMP_LINE:0:COMP_POINT} command option='' kind='' values='' options='' lead=''
  local -a words
  # Not COMP_WORDS: bash also splits words at = and :
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words[${#words[@]}]=''
  local count=${#words[@]}
  local full=${words[count-1]}
  local word=$full
  command=${words[1]}
  if (( count <= 2 )); then
    kind=words values='validate simulate audit why upgrade migrate diff advisories size test cel possible convert rule explain rules gates mcp lsp schema completion snapshot replay driver --version --help'
  else
    if [[ $word == --*=* ]]; then
      option=${word%%=*} lead=${word%%=*}= word=${word#*=}
    elif [[ ${words[count-2]} == -* ]]; then
      option=${words[count-2]}
    fi
    case "$command:$option" in
      validate:--kube-version | simulate:--kube-version | simulate:--scheduler-version | audit:--kube-version | why:--kube-version | upgrade:--from | upgrade:--to | migrate:--kube-version | diff:--kube-version | advisories:--kube-version | size:--kube-version | test:--kube-version | cel:--kube-version | possible:--kube-version | convert:--kube-version | explain:--kube-version | rules:--kube-version | gates:--kube-version | schema:--kube-version)
        kind=words values='1.30 1.31 1.32 1.33 1.34 1.35 1.36 1.37 1.38'
        ;;
      validate:--feature-gates | simulate:--feature-gates | simulate:--scheduler-feature-gates | audit:--feature-gates | why:--feature-gates | upgrade:--from-gates | upgrade:--to-gates | migrate:--feature-gates | diff:--feature-gates | advisories:--feature-gates | size:--feature-gates | test:--feature-gates | cel:--feature-gates | possible:--feature-gates | gates:--feature-gates)
        kind=list values='CompositePodGroup=true CompositePodGroup=false DRAAdminAccess=true DRAAdminAccess=false DRAConsumableCapacity=true DRAConsumableCapacity=false DRAControlPlaneController=true DRAControlPlaneController=false DRADerivedAttributes=true DRADerivedAttributes=false DRADeviceBindingConditions=true DRADeviceBindingConditions=false DRADeviceCompatibilityGroups=true DRADeviceCompatibilityGroups=false DRADeviceTaintRules=true DRADeviceTaintRules=false DRADeviceTaints=true DRADeviceTaints=false DRAExtendedResource=true DRAExtendedResource=false DRAFractionalCapacityRange=true DRAFractionalCapacityRange=false DRAListTypeAttributes=true DRAListTypeAttributes=false DRANodeAllocatableResources=true DRANodeAllocatableResources=false DRAOptionalNodeOperations=true DRAOptionalNodeOperations=false DRAPartitionableDevices=true DRAPartitionableDevices=false DRAPartitionableDevicesType=true DRAPartitionableDevicesType=false DRAPrioritizedList=true DRAPrioritizedList=false DRAResourceClaimDeviceStatus=true DRAResourceClaimDeviceStatus=false DRAResourceClaimGranularStatusAuthorization=true DRAResourceClaimGranularStatusAuthorization=false DRAResourcePoolStatus=true DRAResourcePoolStatus=false DRASchedulerFilterTimeout=true DRASchedulerFilterTimeout=false DRAWorkloadResourceClaims=true DRAWorkloadResourceClaims=false DeclarativeValidation=true DeclarativeValidation=false DeclarativeValidationBeta=true DeclarativeValidationBeta=false DeclarativeValidationTakeover=true DeclarativeValidationTakeover=false DynamicResourceAllocation=true DynamicResourceAllocation=false GangScheduling=true GangScheduling=false GenericWorkload=true GenericWorkload=false InPlacePodLevelResourcesVerticalScaling=true InPlacePodLevelResourcesVerticalScaling=false InPlacePodVerticalScalingSchedulerPreemption=true InPlacePodVerticalScalingSchedulerPreemption=false KubeletPodResourcesDynamicResources=true KubeletPodResourcesDynamicResources=false NodeDeclaredFeatures=true NodeDeclaredFeatures=false PodGroupPreemptionPolicy=true PodGroupPreemptionPolicy=false PodLevelResources=true PodLevelResources=false ResourceHealthStatus=true ResourceHealthStatus=false ResourceHealthStatusMessage=true ResourceHealthStatusMessage=false SchedulerQueueingHints=true SchedulerQueueingHints=false TopologyAwareWorkloadScheduling=true TopologyAwareWorkloadScheduling=false WorkloadAwarePreemption=true WorkloadAwarePreemption=false WorkloadWithJob=true WorkloadWithJob=false'
        ;;
      validate:--namespace-labels | validate:--exclude | validate:--config-schema | validate:--per-file-ignores | validate:--external | validate:--dialect | validate:--stdin-filename | validate:--jobs | validate:--playground | simulate:--namespace-labels | simulate:--exclude | simulate:--node-order | simulate:--replicas | simulate:--pod | simulate:--dialect | simulate:--playground | audit:--namespace-labels | audit:--exclude | why:--namespace-labels | why:--exclude | why:--dialect | why:--node | why:--device | why:--playground | upgrade:--namespace-labels | upgrade:--exclude | migrate:--class | migrate:--namespace-labels | migrate:--exclude | diff:--namespace-labels | diff:--exclude | diff:--dialect | advisories:--namespace-labels | advisories:--exclude | size:--pod | size:--like | size:--price | size:--replicas | size:--namespace-labels | size:--exclude | cel:--dialect | cel:--exclude | cel:--playground | possible:--exclude | possible:--driver | possible:--pool | possible:--dialect | convert:--dialect | convert:--exclude | schema:--dialect | snapshot:--output | snapshot:--hash-key | snapshot:-n | snapshot:--namespace | snapshot:--context | replay:--at | replay:--pod)
        kind=none values=''
        ;;
      validate:--select | validate:--ignore)
        kind=list values='claim/config-size claim/constraints-size claim/controller claim/derived-total-cost claim/request-duplicate claim/requests-size claim/update-spec template/update-spec request/capacity-key request/capacity-negative request/capacity-size request/class-format request/class-required request/count-all request/count-exact request/derived-expr request/derived-expr-required request/derived-name-duplicate request/derived-name-format request/derived-name-required request/derived-size request/derived-unused request/first-available-size request/mode request/name request/selectors-size request/sub-duplicate request/sub-name request/tol-effect request/tol-key request/tol-operator request/tol-operator-required request/tol-value-equal request/tol-value-exists request/union-both request/union-none constraint/distinct constraint/match constraint/none-any constraint/none-match constraint/requests-duplicate constraint/requests-ref constraint/requests-size config/driver config/opaque-required config/params-object config/params-required config/params-size config/requests-duplicate config/requests-ref config/requests-size cel/compile cel/cost cel/length cel/output cel/required admin/namespace admin/status class/config-size class/extended-name class/selectors-size class/suitable-nodes slice/all-nodes-false slice/counter-set-duplicate slice/counter-sets-size slice/counters-total slice/device-counters-total slice/device-duplicate slice/devices-and-counters slice/devices-size slice/driver slice/driver-upper-case slice/node-name-empty slice/node-name-format slice/node-selection-many slice/node-selection-none slice/node-selector slice/node-selector-one-term slice/partition-type-gate slice/partition-type-missing slice/partition-type-not-string slice/partition-type-unused slice/per-device-false slice/pool-count slice/pool-generation slice/pool-name slice/skip-ops-duplicate slice/skip-ops-enum slice/skip-ops-prepare slice/update-driver slice/update-node-name slice/update-pool-name device/all-nodes-false device/attr-cap-total device/attr-key device/attr-list-empty device/attr-list-string device/attr-list-version device/attr-many device/attr-none device/attr-string-length device/attr-values-total device/attr-version device/attr-version-length device/basic-required device/cap-key device/cap-policy-single device/compat-groups device/consumes-counter-name device/consumes-counter-unknown device/consumes-counters-required device/consumes-counters-size device/consumes-duplicate device/consumes-set-format device/consumes-set-required device/consumes-set-unknown device/consumes-size device/consumes-total device/name device/node-empty device/node-format device/node-selection-many device/node-selection-none device/node-selection-unexpected device/node-selector device/node-selector-one-term device/taint-effect device/taint-effect-required device/taint-key device/taint-value device/taints-size counterset/counter-name counterset/counters-required counterset/counters-size counterset/name-format counterset/name-required ctr/claim-duplicate ctr/claim-name-required ctr/claim-request ctr/claim-unknown ctr/pod-level nar/cap-key-empty nar/cap-key-format nar/cap-key-required nar/cap-key-unknown nar/cap-mult-positive nar/cap-mult-required nar/dev-mult-positive nar/empty nar/key nar/mapping-cap-key-empty nar/mapping-cap-key-unknown nar/mapping-key nar/mapping-multiplier nar/overhead-empty nar/overhead-negative nar/union policy/both policy/default-max policy/default-min policy/default-required policy/max-limit policy/milli policy/min-limit policy/min-max policy/min-required policy/step-crash policy/step-default policy/step-int64 policy/step-limit policy/step-max policy/step-positive policy/values-default policy/values-duplicate policy/values-limit policy/values-size policy/values-sorted binding/duplicate binding/failure-missing binding/failure-size binding/format binding/missing binding/overlap binding/size rule/conditions rule/selector-cel rule/selector-class rule/selector-device rule/selector-driver rule/selector-empty rule/selector-pool rule/taint-effect rule/taint-key rule/taint-value rpsr/driver-format rpsr/driver-required rpsr/limit rpsr/partition-attr rpsr/pool-name rpsr/spec-immutable rpsr/status-conditions rpsr/status-immutable rpsr/status-name rpsr/status-number rpsr/status-partition-duplicate rpsr/status-required rpsr/status-size rpsr/status-validation-error pod/claim-both pod/claim-generated-name pod/claim-name-duplicate pod/claim-name-format pod/claim-name-required pod/claim-none pod/claim-ref pod/claim-template-ref pod/fractional-bytes pod/host-name pod/label-selector-null pod/mirror-node pod/node-label-deprecated pod/preferred-value pod/static pod/update-annotations pod/update-containers pod/update-qos pod/update-spec psc/claim-duplicate psc/nodes-duplicate psc/nodes-format psc/nodes-size psc/unsuitable-duplicate psc/unsuitable-format psc/unsuitable-size meta/annotation-key meta/annotation-size meta/finalizer-conflict meta/finalizer-format meta/finalizer-kube meta/generate-name meta/generation meta/label-key meta/label-value meta/name-format meta/name-required meta/ns-format meta/owner-controller meta/owner-event meta/owner-field meta/update-finalizers meta/update-immutable meta/update-rv tmeta/annotations tmeta/labels tmeta/other status/allocation-immutable status/dealloc-reserved status/dealloc-unallocated status/dealloc-withdrawn status/devices-duplicate status/reserved-deleting status/reserved-duplicate status/reserved-name status/reserved-resource status/reserved-size status/reserved-uid status/reserved-unallocated alloc/config-size alloc/config-source alloc/config-source-required alloc/consumed-key alloc/consumed-negative alloc/consumed-size alloc/controller alloc/device alloc/driver alloc/node-selector alloc/pool alloc/request alloc/results-size alloc/share-id alloc/skip-ops dstat/allocated dstat/conditions dstat/conditions-size dstat/data-object dstat/data-size dstat/device dstat/driver dstat/hw-addr dstat/if-name dstat/ips-duplicate dstat/ips-format dstat/ips-size dstat/pool dstat/share-id pstat/claim-duplicate pstat/claim-ref pstat/claim-unknown pstat/condition-type pstat/ext-claim-format pstat/ext-claim-required pstat/ext-container pstat/ext-duplicate pstat/ext-mappings-required pstat/ext-request pstat/ext-resource pstat/health pstat/health-duplicate pstat/health-ephemeral pstat/health-message pstat/health-name pstat/node-claim pstat/node-duplicate pstat/node-negative pstat/node-overhead-empty pstat/node-required pstat/node-resource oldclaim/available-nodes oldclaim/class oldclaim/handle-both oldclaim/handle-data oldclaim/handle-driver oldclaim/handle-instance oldclaim/handle-model oldclaim/handle-node oldclaim/handles-size oldclaim/mode oldclaim/reserved-shareable oldclaim/status-driver oldclaim/status-driver-required oldclass/driver oldclass/suitable-nodes oldparams/driver oldparams/driver-duplicate oldparams/model oldparams/ref-kind oldparams/ref-name oldparams/ref-namespace oldparams/requests-empty oldparams/selector oldparams/selector-required oldslice/attr-duplicate oldslice/attr-many oldslice/attr-name oldslice/attr-none oldslice/attr-version oldslice/driver oldslice/instance-duplicate oldslice/instance-name oldslice/model oldslice/node oldslice/update-driver oldslice/update-node decode/fatal decode/syntax decode/template decode/no-kind decode/type decode/unknown decode/duplicate version/unserved version/not-served-by-default version/other-group simulate/ignored simulate/skew config/schema document/unnamed document/skipped document/nothing-asked document/count-zero gate/dropped gate/unserved pod/implicit-resource gate/kept admin/unknown-namespace update/new update/unknown update/generation-back update/generation-same update/prototype update/gone update/no-status document/too-many-devices document/node-name upgrade/refused quantity/endless shape/request-flat shape/request-exactly shape/device-flat shape/device-basic shape/indentation shape/case shape/level shape/claim-or-template shape/bare-value shape/wrapped-value shape/list shape/pod-source shape/newer-field shape/former-field across/class-missing across/claim-missing across/other-namespace across/request-missing across/same-name across/claim-twice across/claim-shared across/extended-name-twice across/quota-exceeded across/pool-nodes across/pool-incomplete across/pool-count across/pool-obsolete across/device-duplicate across/slice-node-missing across/counter-missing across/counter-excess across/counter-set-twice across/attribute-twice across/constraint-nothing across/allocation-nowhere across/allocation-mode across/device-node-terms across/capacity-missing across/capacity-excess across/capacity-rounded across/config-nothing across/toleration-nothing across/extended-missing across/taint-rule-nothing across/taint-rule-everything across/claim-unused across/boolean-key selector/fails selector/attribute-unknown selector/nothing selector/driver-unknown selector/too-few selector/never-equal selector/version-text selector/constant selector/near-limit selector/not-evaluated ignore/unused ignore/no-reason ignore/invalid baseline/stale prototype/dia-1 prototype/dia-2 prototype/dia-4 prototype/dia-5 prototype/dia-6 prototype/dia-8 prototype/type prototype/unused prototype/limit prototype/config-map prototype/dp-1 prototype/dp-1-form prototype/dp-2 prototype/dp-3 prototype/dp-4 prototype/dp-5 prototype/dp-6 prototype/dp-7 prototype/dp-8 prototype/dp-9 prototype/dp-10 prototype/dp-11 prototype/dp-12 prototype/dp-13 prototype/dc-1 prototype/dc-2 prototype/dc-3 prototype/dc-4 prototype/dc-5 prototype/dc-6 prototype/dc-7 prototype/dc-8 prototype/dc-9 prototype/cl-1 prototype/cl-2 prototype/cl-2-form prototype/cl-3 prototype/cl-4 prototype/cl-4-none prototype/cl-5 prototype/cl-6 prototype/cl-7 prototype/cl-8 prototype/cl-9 prototype/cl-10 prototype/cl-11 prototype/cl-12 prototype/cl-13 prototype/cl-14 prototype/cl-15 prototype/cl-16 prototype/cl-17 prototype/cl-18 prototype/cl-19 prototype/po-1 prototype/po-2 prototype/po-3 prototype/po-4 prototype/po-5 prototype/po-7 prototype/po-8 prototype/po-9 prototype/pl-1 prototype/pl-2 prototype/pl-4 prototype/pl-5 prototype/pl-6 prototype/pp-1 prototype/pp-2 prototype/pp-3 prototype/pp-4 prototype/pp-5 prototype/pp-7 prototype/gr-2 prototype/gr-3 prototype/gr-4 prototype/gr-7 prototype/ks-1 prototype/ks-2 prototype/ks-3 prototype/ks-4 prototype/ks-4-overlap prototype/ks-6 prototype/ks-5 prototype/de-1 prototype/de-2 prototype/de-3 prototype/de-3-again prototype/de-4 prototype/de-5 prototype/de-6 prototype/de-7 prototype/de-8 prototype/de-9 prototype/de-10 prototype/de-11 prototype/de-12 prototype/de-13 prototype/de-14 prototype/de-15 prototype/de-16 prototype/de-17 prototype/de-18 prototype/de-19 prototype/de-20 prototype/de-21 prototype/de-22 prototype/de-older prototype/de-early prototype/de-30 prototype/de-amount prototype/de-never prototype/de-node prototype/de-content prototype/de-count prototype/de-value prototype/de-controller prototype/de-allocated prototype/nv-1 prototype/nv-2 prototype/nv-3 prototype/nv-4 prototype/nv-5 prototype/nv-6 prototype/nm-1 prototype/nm-2 prototype/nm-3 prototype/nm-4 prototype/nm-5 prototype/nm-6 prototype/kc-2 prototype/kc-1'
        ;;
      validate:--old | validate:--world | simulate:--world | audit:--world | why:--world | diff:--with | size:--world | cel:--world)
        kind=path values=''
        ;;
      validate:--since | diff:--since)
        kind=ref values=''
        ;;
      validate:--subresource)
        kind=words values=status
        ;;
      validate:--field-validation)
        kind=words values='strict warn ignore'
        ;;
      validate:--baseline | validate:--output | validate:--config | simulate:--scenario | simulate:--save-state | simulate:--output | simulate:--config | audit:--output | audit:--config | why:--output | why:--config | upgrade:--output | upgrade:--config | migrate:--output | migrate:--config | diff:--output | diff:--config | advisories:--output | advisories:--config | size:--output | size:--config | test:--output | test:--config | cel:--output | cel:--config | possible:--output | possible:--config | convert:--output | convert:--config | rule:--output | explain:--output | explain:--config | rules:--output | gates:--output | gates:--config | schema:--output | schema:--config | completion:--output | snapshot:--kubeconfig | replay:--output | replay:--config)
        kind=file values=''
        ;;
      validate:--format)
        kind=words values='text json sarif junit github gitlab markdown'
        ;;
      simulate:--format)
        kind=words values='table json yaml html'
        ;;
      audit:--format | why:--format | upgrade:--format)
        kind=words values='text json html'
        ;;
      why:--prove | mcp:--root)
        kind=folder values=''
        ;;
      migrate:--to)
        kind=words values='claims extended-resource'
        ;;
      migrate:--format | advisories:--format | cel:--format | possible:--format | rule:--format | explain:--format | rules:--format | gates:--format | replay:--format)
        kind=words values='text json'
        ;;
      diff:--format)
        kind=words values='text json markdown'
        ;;
      size:--format)
        kind=words values='text json prometheus html'
        ;;
      test:--format)
        kind=words values='text junit json'
        ;;
      cel:--env)
        kind=words values='new stored both'
        ;;
      cel:--compare)
        kind=words values=celpy
        ;;
      convert:--to | explain:--api-version | schema:--api-version)
        kind=words values='v1 v1beta2 v1alpha3 v1beta1 v1alpha2'
        ;;
      convert:--format)
        kind=words values='yaml json'
        ;;
      rules:--kind)
        kind=words values='DeviceClass DeviceTaintRule PodSchedulingContext ResourceClaim ResourceClaimParameters ResourceClaimTemplate ResourceClass ResourceClassParameters ResourcePoolStatusRequest ResourceSlice'
        ;;
      *)
        option=''
        ;;
    esac
    if [[ -z $option ]]; then
      case $command in
        validate)
          options='--kube-version --feature-gates --namespace-labels --exclude --select --ignore --config-schema --old --since --subresource --field-validation --per-file-ignores --baseline --write-baseline --external --world --strict --closed-world --allow-empty --dialect --lenient --stdin-filename --fix --unsafe-fixes --diff --jobs --format --share --playground --output --quiet --config --isolated --show-config --help'
          kind=path values=''
          ;;
        simulate)
          options='--kube-version --feature-gates --namespace-labels --exclude --world --scheduler-version --scheduler-feature-gates --node-order --replicas --allocate-unreferenced --scenario --pod --native --format --save-state --dialect --share --playground --output --quiet --config --isolated --show-config --help'
          kind=path values=''
          ;;
        audit)
          options='--kube-version --feature-gates --namespace-labels --exclude --world --format --output --quiet --config --isolated --show-config --help'
          kind=path values=''
          ;;
        why)
          options='--kube-version --feature-gates --namespace-labels --exclude --dialect --world --all --node --device --prove --native --format --share --playground --output --quiet --config --isolated --show-config --help'
          kind=path values=''
          ;;
        upgrade)
          options='--from --to --from-gates --to-gates --write --namespace-labels --exclude --format --output --quiet --config --isolated --show-config --help'
          kind=path values=''
          ;;
        migrate)
          options='--to --class --diff --write --kube-version --feature-gates --namespace-labels --exclude --format --output --quiet --config --isolated --show-config --help'
          kind=path values=''
          ;;
        diff)
          options='--since --with --kube-version --feature-gates --namespace-labels --exclude --dialect --format --output --quiet --config --isolated --show-config --help'
          kind=none values=''
          ;;
        advisories)
          options='--kube-version --feature-gates --namespace-labels --exclude --format --output --config --isolated --show-config --help'
          kind=path values=''
          ;;
        size)
          options='--pod --like --price --from-zero --replicas --kube-version --feature-gates --namespace-labels --exclude --world --format --output --quiet --config --isolated --show-config --help'
          kind=path values=''
          ;;
        test)
          options='--update --kube-version --feature-gates --format --output --quiet --config --isolated --show-config --help'
          kind=path values=''
          ;;
        cel)
          options='--kube-version --feature-gates --dialect --env --explain --compare --exclude --world --format --share --playground --output --quiet --config --isolated --show-config --help'
          kind=path values=''
          ;;
        possible)
          options='--kube-version --feature-gates --exclude --driver --pool --dialect --format --output --quiet --config --isolated --show-config --help'
          kind=path values=''
          ;;
        convert)
          options='--to --kube-version --lossy --in-place --diff --dialect --exclude --format --output --quiet --config --isolated --show-config --help'
          kind=path values=''
          ;;
        rule)
          options='--format --output --help'
          kind=words values='claim/config-size claim/constraints-size claim/controller claim/derived-total-cost claim/request-duplicate claim/requests-size claim/update-spec template/update-spec request/capacity-key request/capacity-negative request/capacity-size request/class-format request/class-required request/count-all request/count-exact request/derived-expr request/derived-expr-required request/derived-name-duplicate request/derived-name-format request/derived-name-required request/derived-size request/derived-unused request/first-available-size request/mode request/name request/selectors-size request/sub-duplicate request/sub-name request/tol-effect request/tol-key request/tol-operator request/tol-operator-required request/tol-value-equal request/tol-value-exists request/union-both request/union-none constraint/distinct constraint/match constraint/none-any constraint/none-match constraint/requests-duplicate constraint/requests-ref constraint/requests-size config/driver config/opaque-required config/params-object config/params-required config/params-size config/requests-duplicate config/requests-ref config/requests-size cel/compile cel/cost cel/length cel/output cel/required admin/namespace admin/status class/config-size class/extended-name class/selectors-size class/suitable-nodes slice/all-nodes-false slice/counter-set-duplicate slice/counter-sets-size slice/counters-total slice/device-counters-total slice/device-duplicate slice/devices-and-counters slice/devices-size slice/driver slice/driver-upper-case slice/node-name-empty slice/node-name-format slice/node-selection-many slice/node-selection-none slice/node-selector slice/node-selector-one-term slice/partition-type-gate slice/partition-type-missing slice/partition-type-not-string slice/partition-type-unused slice/per-device-false slice/pool-count slice/pool-generation slice/pool-name slice/skip-ops-duplicate slice/skip-ops-enum slice/skip-ops-prepare slice/update-driver slice/update-node-name slice/update-pool-name device/all-nodes-false device/attr-cap-total device/attr-key device/attr-list-empty device/attr-list-string device/attr-list-version device/attr-many device/attr-none device/attr-string-length device/attr-values-total device/attr-version device/attr-version-length device/basic-required device/cap-key device/cap-policy-single device/compat-groups device/consumes-counter-name device/consumes-counter-unknown device/consumes-counters-required device/consumes-counters-size device/consumes-duplicate device/consumes-set-format device/consumes-set-required device/consumes-set-unknown device/consumes-size device/consumes-total device/name device/node-empty device/node-format device/node-selection-many device/node-selection-none device/node-selection-unexpected device/node-selector device/node-selector-one-term device/taint-effect device/taint-effect-required device/taint-key device/taint-value device/taints-size counterset/counter-name counterset/counters-required counterset/counters-size counterset/name-format counterset/name-required ctr/claim-duplicate ctr/claim-name-required ctr/claim-request ctr/claim-unknown ctr/pod-level nar/cap-key-empty nar/cap-key-format nar/cap-key-required nar/cap-key-unknown nar/cap-mult-positive nar/cap-mult-required nar/dev-mult-positive nar/empty nar/key nar/mapping-cap-key-empty nar/mapping-cap-key-unknown nar/mapping-key nar/mapping-multiplier nar/overhead-empty nar/overhead-negative nar/union policy/both policy/default-max policy/default-min policy/default-required policy/max-limit policy/milli policy/min-limit policy/min-max policy/min-required policy/step-crash policy/step-default policy/step-int64 policy/step-limit policy/step-max policy/step-positive policy/values-default policy/values-duplicate policy/values-limit policy/values-size policy/values-sorted binding/duplicate binding/failure-missing binding/failure-size binding/format binding/missing binding/overlap binding/size rule/conditions rule/selector-cel rule/selector-class rule/selector-device rule/selector-driver rule/selector-empty rule/selector-pool rule/taint-effect rule/taint-key rule/taint-value rpsr/driver-format rpsr/driver-required rpsr/limit rpsr/partition-attr rpsr/pool-name rpsr/spec-immutable rpsr/status-conditions rpsr/status-immutable rpsr/status-name rpsr/status-number rpsr/status-partition-duplicate rpsr/status-required rpsr/status-size rpsr/status-validation-error pod/claim-both pod/claim-generated-name pod/claim-name-duplicate pod/claim-name-format pod/claim-name-required pod/claim-none pod/claim-ref pod/claim-template-ref pod/fractional-bytes pod/host-name pod/label-selector-null pod/mirror-node pod/node-label-deprecated pod/preferred-value pod/static pod/update-annotations pod/update-containers pod/update-qos pod/update-spec psc/claim-duplicate psc/nodes-duplicate psc/nodes-format psc/nodes-size psc/unsuitable-duplicate psc/unsuitable-format psc/unsuitable-size meta/annotation-key meta/annotation-size meta/finalizer-conflict meta/finalizer-format meta/finalizer-kube meta/generate-name meta/generation meta/label-key meta/label-value meta/name-format meta/name-required meta/ns-format meta/owner-controller meta/owner-event meta/owner-field meta/update-finalizers meta/update-immutable meta/update-rv tmeta/annotations tmeta/labels tmeta/other status/allocation-immutable status/dealloc-reserved status/dealloc-unallocated status/dealloc-withdrawn status/devices-duplicate status/reserved-deleting status/reserved-duplicate status/reserved-name status/reserved-resource status/reserved-size status/reserved-uid status/reserved-unallocated alloc/config-size alloc/config-source alloc/config-source-required alloc/consumed-key alloc/consumed-negative alloc/consumed-size alloc/controller alloc/device alloc/driver alloc/node-selector alloc/pool alloc/request alloc/results-size alloc/share-id alloc/skip-ops dstat/allocated dstat/conditions dstat/conditions-size dstat/data-object dstat/data-size dstat/device dstat/driver dstat/hw-addr dstat/if-name dstat/ips-duplicate dstat/ips-format dstat/ips-size dstat/pool dstat/share-id pstat/claim-duplicate pstat/claim-ref pstat/claim-unknown pstat/condition-type pstat/ext-claim-format pstat/ext-claim-required pstat/ext-container pstat/ext-duplicate pstat/ext-mappings-required pstat/ext-request pstat/ext-resource pstat/health pstat/health-duplicate pstat/health-ephemeral pstat/health-message pstat/health-name pstat/node-claim pstat/node-duplicate pstat/node-negative pstat/node-overhead-empty pstat/node-required pstat/node-resource oldclaim/available-nodes oldclaim/class oldclaim/handle-both oldclaim/handle-data oldclaim/handle-driver oldclaim/handle-instance oldclaim/handle-model oldclaim/handle-node oldclaim/handles-size oldclaim/mode oldclaim/reserved-shareable oldclaim/status-driver oldclaim/status-driver-required oldclass/driver oldclass/suitable-nodes oldparams/driver oldparams/driver-duplicate oldparams/model oldparams/ref-kind oldparams/ref-name oldparams/ref-namespace oldparams/requests-empty oldparams/selector oldparams/selector-required oldslice/attr-duplicate oldslice/attr-many oldslice/attr-name oldslice/attr-none oldslice/attr-version oldslice/driver oldslice/instance-duplicate oldslice/instance-name oldslice/model oldslice/node oldslice/update-driver oldslice/update-node decode/fatal decode/syntax decode/template decode/no-kind decode/type decode/unknown decode/duplicate version/unserved version/not-served-by-default version/other-group simulate/ignored simulate/skew config/schema document/unnamed document/skipped document/nothing-asked document/count-zero gate/dropped gate/unserved pod/implicit-resource gate/kept admin/unknown-namespace update/new update/unknown update/generation-back update/generation-same update/prototype update/gone update/no-status document/too-many-devices document/node-name upgrade/refused quantity/endless shape/request-flat shape/request-exactly shape/device-flat shape/device-basic shape/indentation shape/case shape/level shape/claim-or-template shape/bare-value shape/wrapped-value shape/list shape/pod-source shape/newer-field shape/former-field across/class-missing across/claim-missing across/other-namespace across/request-missing across/same-name across/claim-twice across/claim-shared across/extended-name-twice across/quota-exceeded across/pool-nodes across/pool-incomplete across/pool-count across/pool-obsolete across/device-duplicate across/slice-node-missing across/counter-missing across/counter-excess across/counter-set-twice across/attribute-twice across/constraint-nothing across/allocation-nowhere across/allocation-mode across/device-node-terms across/capacity-missing across/capacity-excess across/capacity-rounded across/config-nothing across/toleration-nothing across/extended-missing across/taint-rule-nothing across/taint-rule-everything across/claim-unused across/boolean-key selector/fails selector/attribute-unknown selector/nothing selector/driver-unknown selector/too-few selector/never-equal selector/version-text selector/constant selector/near-limit selector/not-evaluated ignore/unused ignore/no-reason ignore/invalid baseline/stale prototype/dia-1 prototype/dia-2 prototype/dia-4 prototype/dia-5 prototype/dia-6 prototype/dia-8 prototype/type prototype/unused prototype/limit prototype/config-map prototype/dp-1 prototype/dp-1-form prototype/dp-2 prototype/dp-3 prototype/dp-4 prototype/dp-5 prototype/dp-6 prototype/dp-7 prototype/dp-8 prototype/dp-9 prototype/dp-10 prototype/dp-11 prototype/dp-12 prototype/dp-13 prototype/dc-1 prototype/dc-2 prototype/dc-3 prototype/dc-4 prototype/dc-5 prototype/dc-6 prototype/dc-7 prototype/dc-8 prototype/dc-9 prototype/cl-1 prototype/cl-2 prototype/cl-2-form prototype/cl-3 prototype/cl-4 prototype/cl-4-none prototype/cl-5 prototype/cl-6 prototype/cl-7 prototype/cl-8 prototype/cl-9 prototype/cl-10 prototype/cl-11 prototype/cl-12 prototype/cl-13 prototype/cl-14 prototype/cl-15 prototype/cl-16 prototype/cl-17 prototype/cl-18 prototype/cl-19 prototype/po-1 prototype/po-2 prototype/po-3 prototype/po-4 prototype/po-5 prototype/po-7 prototype/po-8 prototype/po-9 prototype/pl-1 prototype/pl-2 prototype/pl-4 prototype/pl-5 prototype/pl-6 prototype/pp-1 prototype/pp-2 prototype/pp-3 prototype/pp-4 prototype/pp-5 prototype/pp-7 prototype/gr-2 prototype/gr-3 prototype/gr-4 prototype/gr-7 prototype/ks-1 prototype/ks-2 prototype/ks-3 prototype/ks-4 prototype/ks-4-overlap prototype/ks-6 prototype/ks-5 prototype/de-1 prototype/de-2 prototype/de-3 prototype/de-3-again prototype/de-4 prototype/de-5 prototype/de-6 prototype/de-7 prototype/de-8 prototype/de-9 prototype/de-10 prototype/de-11 prototype/de-12 prototype/de-13 prototype/de-14 prototype/de-15 prototype/de-16 prototype/de-17 prototype/de-18 prototype/de-19 prototype/de-20 prototype/de-21 prototype/de-22 prototype/de-older prototype/de-early prototype/de-30 prototype/de-amount prototype/de-never prototype/de-node prototype/de-content prototype/de-count prototype/de-value prototype/de-controller prototype/de-allocated prototype/nv-1 prototype/nv-2 prototype/nv-3 prototype/nv-4 prototype/nv-5 prototype/nv-6 prototype/nm-1 prototype/nm-2 prototype/nm-3 prototype/nm-4 prototype/nm-5 prototype/nm-6 prototype/kc-2 prototype/kc-1'
          ;;
        explain)
          options='--recursive --api-version --kube-version --format --output --config --isolated --show-config --help'
          kind=words values='deviceclass devicetaintrule podschedulingcontext resourceclaim resourceclaimparameters resourceclaimtemplate resourceclass resourceclassparameters resourcepoolstatusrequest resourceslice'
          ;;
        rules)
          options='--kind --kube-version --format --output --help'
          kind=none values=''
          ;;
        gates)
          options='--kube-version --feature-gates --format --output --config --isolated --show-config --help'
          kind=none values=''
          ;;
        mcp)
          options='--root --help'
          kind=none values=''
          ;;
        lsp)
          options=--help
          kind=none values=''
          ;;
        schema)
          options='--api-version --kube-version --dialect --output --config --isolated --show-config --help'
          kind=words values='DeviceClass DeviceTaintRule PodSchedulingContext ResourceClaim ResourceClaimParameters ResourceClaimTemplate ResourceClass ResourceClassParameters ResourcePoolStatusRequest ResourceSlice scenario test'
          ;;
        completion)
          options='--output --help'
          kind=words values='bash zsh fish'
          ;;
        snapshot)
          options='--output --hash-names --hash-key --namespace --context --kubeconfig --quiet --help'
          kind=none values=''
          ;;
        replay)
          options='--at --pod --compare --format --output --quiet --config --isolated --show-config --help'
          kind=file values=''
          ;;
        driver)
          options=--help
          kind=none values=''
          ;;
      esac
    fi
  fi

  COMPREPLY=()
  if [[ -z $option && -n $options && $word == -* ]]; then
    kind=words values=$options
  fi
  case $kind in
    list)
      [[ $word == *,* ]] && lead+=${word%,*}, word=${word##*,}
      ;;
    ref)
      values=$(git for-each-ref --format='%(refname:short)' 2> /dev/null)
      ;;
  esac
  local found
  case $kind in
    words | list | ref)
      found=$(compgen -W "$values" -- "$word")
      ;;
    path)
      compopt -o filenames 2> /dev/null
      found=$(
        compgen -d -- "$word"
        compgen -f -X '!*.yaml' -- "$word"
        compgen -f -X '!*.yml' -- "$word"
        compgen -f -X '!*.json' -- "$word"
      )
      ;;
    file)
      compopt -o filenames 2> /dev/null
      found=$(compgen -f -- "$word")
      ;;
    folder)
      compopt -o filenames 2> /dev/null
      found=$(compgen -d -- "$word")
      ;;
  esac
  # bash replaces only what follows the last = or :
  local begun=${full%"${full##*[=:]}"} each
  while read -r each; do
    each=$lead$each
    [[ -n ${each#"$lead"} ]] && COMPREPLY[${#COMPREPLY[@]}]=${each#"$begun"}
  done <<< "$found"
}

complete -F _dractl dractl
